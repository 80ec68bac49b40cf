import { useTranslation } from 'react-i18next';
import { now as serverNow, useNow } from './clock.ts';
import * as format from './format.ts';
import { currentLanguage } from './i18n.ts';

/**
 * Every formatter of `format.ts` bound to the language shown and the server's time; re-renders once a minute
 * at most.
 */
export function useFormat() {
  useTranslation();
  useNow(60_000);
  const language = currentLanguage();
  return {
    language,
    money: (cents: number) => format.money(cents, language),
    distance: (metres: number) => format.distance(metres, language),
    duration: (seconds: number) => format.duration(seconds, language),
    between: (from: string, to: string) => format.between(from, to, language),
    weight: format.weight,
    timeOfDay: format.timeOfDay,
    day: (iso: string, zone: string) => format.day(iso, zone, serverNow(), language),
    when: (iso: string, zone: string, until?: string) =>
      format.when(iso, zone, { now: serverNow(), language, until }),
    relative: (iso: string) => format.relative(iso, serverNow(), language),
  };
}
