import { useTranslation } from 'react-i18next';
import type { Series } from '#contract/rides/recurring.ts';
import { useFormat } from '../../../core/use-format.ts';
import { useWeekdays } from '../../../core/use-weekdays.ts';

/** A series in one line: `Mon–Fri at 7:15 AM`. */
export function useRecurringWords(): (series: Series) => string {
  const { t } = useTranslation('recurring');
  const weekdays = useWeekdays();
  const format = useFormat();
  return ({ rule }) => t('rule', { days: weekdays(rule.weekdays), time: format.clockTime(rule.localTime) });
}

/** The next day of a series that takes place, or is to. */
export const nextDay = ({ days }: Series): Series['days'][number] | undefined =>
  days.find(({ state }) => state === 'open' || state === 'matched' || state === 'planned');
