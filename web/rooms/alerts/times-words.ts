import { useTranslation } from 'react-i18next';
import type { AlertTimes } from '#contract/alerts/endpoints.ts';
import { currentLanguage } from '../../base/i18n.ts';
import { useFormat } from '../../base/use-format.ts';
import { runsOf } from './day-runs.ts';

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

/** When an alert looks, in words: `Tomorrow 07:00–08:00`, `Mon, Wed 07:00–08:30`; and until when, for a weekly one. */
export function useTimesWords(): (
  times: AlertTimes,
  timeZone: string,
) => { when: string; until: string | null } {
  const { t } = useTranslation('alerts');
  const format = useFormat();
  return (times, timeZone) => {
    if (times.kind === 'once')
      return {
        when: format.when(
          times.earliestAt,
          timeZone,
          times.latestAt === times.earliestAt ? undefined : times.latestAt,
        ),
        until: null,
      };
    const spans = runsOf(times.days).map(([first, last]) =>
      first === last
        ? weekdayName(first)
        : t('times.span', { first: weekdayName(first), last: weekdayName(last) }),
    );
    const every =
      times.days.length === 7 ? t('times.everyDay') : spans.join(format.language === 'zh' ? '、' : ', ');
    return {
      when: t('times.weekly', { days: every, from: times.fromTime, to: times.toTime }),
      until: t('times.until', { day: format.day(`${times.until}T12:00:00Z`, 'UTC') }),
    };
  };
}
