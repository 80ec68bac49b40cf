import { useTranslation } from 'react-i18next';
import type { Series } from '#contract/rides/recurring.ts';
import { useWeekdays } from '../../../core/use-weekdays.ts';

/** A series in a line: `Mon–Fri at 07:15`. */
export function useRecurringWords(): (series: Series) => string {
  const { t } = useTranslation('recurring');
  const weekdays = useWeekdays();
  return ({ rule }) => t('rule', { days: weekdays(rule.weekdays), time: rule.localTime });
}

/** The next day of a series that takes place, or is to. */
export const nextDay = ({ days }: Series): Series['days'][number] | undefined =>
  days.find(({ state }) => state === 'open' || state === 'matched' || state === 'planned');
