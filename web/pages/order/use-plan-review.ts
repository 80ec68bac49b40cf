import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { problemsOf } from '../../features/planning/publish.ts';
import { planOf } from '../../features/planning/repeat.ts';
import { useBackZone } from '../../features/planning/use-back-zone.ts';
import type { Plan } from '../../features/planning/use-plan.ts';
import { usePublishPlan, useRepeatFacts } from '../../features/planning/use-publish-plan.ts';

/** Where a published plan continues: with whom it fits, with its way back, or week by week. */
const nextPage = {
  one: '/pages/order/match',
  pair: '/pages/order/detail',
  series: '/pages/order/series',
} as const;

/** From a filled-in form over its review to the published plan. */
export function usePlanReview({
  plan,
  words,
  clear,
}: {
  plan: Plan;
  /** Said once it is published. */
  words: string;
  /** Drops the draft that has been published. */
  clear: () => void;
}) {
  const navigate = useNavigate();
  const [open, setOpen] = useState(false);
  const backZone = useBackZone(plan);
  const repeatFacts = useRepeatFacts();
  const publish = usePublishPlan({
    words,
    onPublished: ({ kind, id }) => {
      clear();
      void navigate({
        to: nextPage[kind],
        search: kind === 'one' ? { id, published: '1' } : { id },
        replace: true,
      });
    },
    onRefused: (refused) => {
      setOpen(false);
      return plan.show(problemsOf(refused));
    },
  });
  const published = planOf(plan.input, plan.values, backZone);
  return {
    open,
    setOpen,
    busy: publish.busy,
    publish: () => publish.run(published),
    /** The way back and the week, in words. */
    repeatFacts: repeatFacts(published, backZone),
  };
}
