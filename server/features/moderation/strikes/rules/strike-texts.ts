import { translate, type Language } from '../../../../platform/messages/translate.ts';
import type { StrikeFigures } from './verdict.ts';

/** The reason of a driver's suspension, for their email. */
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
