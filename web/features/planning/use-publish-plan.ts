import { useTranslation } from 'react-i18next';
import { createOrder } from '#contract/rides/endpoints.ts';
import { createPair, createSeries } from '#contract/rides/recurring.ts';
import type { Refused } from '../../core/errors.ts';
import { useAction } from '../../core/queries.ts';
import { useFormat } from '../../core/use-format.ts';
import { useWeekdays } from '../../core/use-weekdays.ts';
import { toast } from '../../ui/toasts.tsx';
import type { PlanValues } from './plan-values.ts';
import type { Problems } from './plan-fields.ts';
import { isDayAfter, type Plan } from './repeat.ts';

/** The published plan: to be matched, to be viewed with its way back, or a series. */
export interface PublishedPlan {
  kind: Plan['kind'];
  id: string;
}

/** Publishes a plan, whichever it is. */
export function usePublishPlan({
  words,
  onPublished,
  onRefused,
}: {
  /** Said of a single order. */
  words: string;
  onPublished: (published: PublishedPlan) => void;
  /** True where the refusal is shown. */
  onRefused: (refused: Refused) => boolean;
}): { busy: boolean; run: (plan: Plan) => void } {
  const { t } = useTranslation('recurring');
  const invalidates = ['/order/', '/series/', '/address/', '/event/'];
  const one = useAction(createOrder, {
    invalidates,
    onRefused,
    onDone: ({ id }) => {
      toast.done(words);
      onPublished({ kind: 'one', id });
    },
  });
  const pair = useAction(createPair, {
    invalidates,
    onRefused,
    onDone: ({ order: { id } }) => {
      toast.done(t('published.pair'));
      onPublished({ kind: 'pair', id });
    },
  });
  const weekly = useAction(createSeries, {
    invalidates,
    onRefused,
    onDone: ({ series }) => {
      const count = series.flatMap(({ days }) => days.filter(({ state }) => state === 'refused')).length;
      if (count > 0) toast.error(t('published.seriesRefused', { count }));
      else toast.done(t('published.series'));
      onPublished({ kind: 'series', id: series[0]!.id });
    },
  });
  return {
    busy: one.busy || pair.busy || weekly.busy,
    run: (plan) => {
      if (plan.kind === 'one') one.run({ order: plan.order });
      else if (plan.kind === 'pair') pair.run({ order: plan.order, back: plan.back });
      else weekly.run({ series: plan.series, back: plan.back });
    },
  };
}

/** What is missing of the way back and of the week, in words. */
export function useRepeatProblems(): (values: PlanValues) => Problems {
  const { t } = useTranslation('recurring');
  return ({ back, weekly }) => ({
    ...(back !== null && back.local.length < 16 ? { 'back.local': t('repeat.noTime') } : {}),
    ...(weekly?.weekdays.length === 0 ? { 'weekly.weekdays': t('repeat.noDays') } : {}),
    ...(weekly?.untilDay === '' ? { 'weekly.untilDay': t('repeat.noUntil') } : {}),
  });
}

/** The way back and the week, for the review before publishing. */
export function useRepeatFacts(): (plan: Plan, backZone: string) => { label: string; value: string }[] {
  const { t } = useTranslation(['recurring', 'planning']);
  const format = useFormat();
  const weekdays = useWeekdays();
  const seats = (count: number) => ({
    label: t('recurring:facts.backSeats'),
    value: t('planning:seats.count', { count }),
  });
  return (plan, backZone) => {
    if (plan.kind === 'one') return [];
    if (plan.kind === 'pair') {
      const { back } = plan;
      const value =
        back.role === 'driver'
          ? format.when(back.departsAt, backZone)
          : format.when(back.earliestAt, backZone, back.latestAt);
      return [{ label: t('recurring:facts.back'), value }, seats(back.seats)];
    }
    const { series, back } = plan;
    const timeBack = (localTime: string) => {
      const time = format.clockTime(localTime);
      return isDayAfter(series.rule.localTime, localTime) ? t('recurring:facts.dayAfter', { time }) : time;
    };
    return [
      { label: t('recurring:facts.days'), value: weekdays(series.rule.weekdays) },
      { label: t('recurring:facts.until'), value: format.day(`${series.rule.untilDay}T12:00:00Z`, 'UTC') },
      ...(back === null
        ? []
        : [
            { label: t('recurring:facts.back'), value: timeBack(back.rule.localTime) },
            seats(back.order.seats),
          ]),
    ];
  };
}
