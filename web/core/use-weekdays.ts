import { useTranslation } from 'react-i18next';
import * as times from '#contract/formats/times.ts';
import { runsOf } from './day-runs.ts';
import { currentLanguage } from './i18n.ts';

/** The short name of a day of the week in the language shown; 1 is Monday. */
export const weekdayName = (day: number): string => times.weekdayName(day, currentLanguage());

/** Days of the week in words: `Mon–Fri`, `Tue, Thu`, `Every day`. */
export function useWeekdays(): (days: readonly number[]) => string {
  const { t } = useTranslation('common');
  return (days) => {
    if (days.length === 7) return t('weekdays.every');
    const spans = runsOf(days).map(([first, last]) =>
      first === last
        ? weekdayName(first)
        : t('weekdays.span', { first: weekdayName(first), last: weekdayName(last) }),
    );
    return spans.join(currentLanguage() === 'zh' ? '、' : ', ');
  };
}
