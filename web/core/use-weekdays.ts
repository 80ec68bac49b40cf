import { useTranslation } from 'react-i18next';
import { runsOf } from './day-runs.ts';
import { currentLanguage } from './i18n.ts';

/** A Monday, to name the days of the week from. */
const monday = Date.UTC(2024, 0, 1, 12);
const dayMs = 86_400_000;

/** The short name of a day of the week in the language shown; 1 is Monday. */
export function weekdayName(day: number): string {
  const tag = currentLanguage() === 'zh' ? 'zh-CN' : 'en-US';
  return new Intl.DateTimeFormat(tag, { weekday: 'short', timeZone: 'UTC' }).format(
    new Date(monday + (day - 1) * dayMs),
  );
}

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
