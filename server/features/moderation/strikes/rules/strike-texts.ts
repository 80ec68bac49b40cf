import { translate, type Language } from '../../../../platform/messages/translate.ts';
import type { StrikeFigures } from './verdict.ts';

/** Why a driver is suspended, as their email says it. */
export function suspensionReason(
  language: Language,
  strikes: number,
  { withinHours, months }: StrikeFigures,
): string {
  const t = translate(language);
  return t('suspended.strikes', {
    months: t('suspended.months', { count: months }),
    rides: t('suspended.rides', { count: strikes }),
    hours: t('suspended.hours', { count: withinHours }),
  });
}
