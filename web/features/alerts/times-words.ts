import { useTranslation } from 'react-i18next';
import type { AlertTimes } from '#contract/alerts/endpoints.ts';
import { useFormat } from '../../core/use-format.ts';
import { useWeekdays } from '../../core/use-weekdays.ts';

/**
 * The times of an alert, in words: `Tomorrow 07:00–08:00`, `Mon, Wed 07:00–08:30`; and until when, for a
 * weekly one.
 */
export function useTimesWords(): (
  times: AlertTimes,
  timeZone: string,
) => { when: string; until: string | null } {
  const { t } = useTranslation('alerts');
  const format = useFormat();
  const weekdays = useWeekdays();
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
    return {
      when: t('times.weekly', {
        days: weekdays(times.days),
        from: format.clockTime(times.fromTime),
        to: format.clockTime(times.toTime),
      }),
      until: t('times.until', { day: format.dayInSentence(`${times.until}T12:00:00Z`, 'UTC') }),
    };
  };
}
