import { useTranslation } from 'react-i18next';
import * as amounts from '#contract/formats/amounts.ts';
import * as times from '#contract/formats/times.ts';
import { walkingMetresPerMinute } from '#contract/units.ts';
import { now as serverNow, useNow } from './clock.ts';
import { deviceZone } from './device-zone.ts';
import { currentLanguage } from './i18n.ts';

/**
 * Every formatter of `contract/formats` bound to the language shown, the server's time and the device's zone;
 * draws again when the minute changes.
 */
export function useFormat() {
  useTranslation();
  useNow(60_000);
  const language = currentLanguage();
  const day = (iso: string, zone: string) => times.day(iso, zone, serverNow(), language);
  const when = (iso: string, zone: string, until?: string) =>
    times.when(iso, zone, { nowMs: serverNow(), language, zone: deviceZone() }, until);
  return {
    language,
    money: (cents: number) => amounts.money(cents, language),
    price: (cents: number) => amounts.price(cents, language),
    distance: (metres: number) => amounts.distance(metres, language),
    duration: (seconds: number) => amounts.duration(seconds, language),
    /** A walk, by how long it takes: a minute or more. */
    walk: (metres: number) =>
      amounts.duration(Math.max(60, (metres / walkingMetresPerMinute) * 60), language),
    weight: (grams: number) => amounts.weight(grams, language),
    between: (from: string, until: string) => times.between(from, until, language),
    timeOfDay: (iso: string, zone: string) => times.timeOfDay(iso, zone, language),
    clockTime: (time: string) => times.clockTime(time, language),
    timeSpan: (from: string, until: string, zone: string) => times.timeSpan(from, until, zone, language),
    day,
    dayInSentence: (iso: string, zone: string) => times.inSentence(day(iso, zone)),
    longDate: (iso: string, zone = deviceZone()) => times.longDate(iso, zone, language),
    mediumDate: (iso: string, zone = deviceZone()) => times.mediumDate(iso, zone, language),
    longDateAndTime: (iso: string, zone = deviceZone()) => times.longDateAndTime(iso, zone, language),
    calendarLeaf: (iso: string, zone: string) => times.calendarLeaf(iso, zone, language),
    when,
    whenInSentence: (iso: string, zone: string, until?: string) => times.inSentence(when(iso, zone, until)),
    /** The zone's name where the device's clocks show another time; else empty. */
    foreignZone: (iso: string, zone: string) =>
      times.foreignZone(iso, zone, { language, zone: deviceZone() }),
    relative: (iso: string) => times.relative(iso, serverNow(), language),
  };
}
