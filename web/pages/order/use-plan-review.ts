import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { Draft } from '../../features/planning/draft.ts';
import { problemsOf, type Problems } from '../../features/planning/publish.ts';
import { usePublishPlan, useRepeatProblems } from '../../features/planning/use-publish-plan.ts';
import type { PlannedRoute } from '../../features/planning/use-planned-route.ts';

/** Where a published plan is looked at: by whom it fits, with its way back, or week by week. */
const nextPage = {
  one: '/pages/order/match',
  pair: '/pages/order/detail',
  series: '/pages/order/series',
} as const;

/** From a filled-in form over its review to the published plan. */
export function usePlanReview({
  draft,
  route,
  found,
  show,
  words,
  clear,
}: {
  draft: Draft;
  route: PlannedRoute;
  /** What is wrong with the form, without the way back and the week. */
  found: Problems;
  /** True if there was something to show. */
  show: (problems: Problems) => boolean;
  /** Said once it is published. */
  words: string;
  /** Drops the draft that has been published. */
  clear: () => void;
}) {
  const navigate = useNavigate();
  const [open, setOpen] = useState(false);
  const repeatProblems = useRepeatProblems();
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
      return show(problemsOf(refused));
    },
  });
  return {
    open,
    setOpen,
    publish,
    /** Shows what is wrong, or else the review. */
    begin: () => {
      if (route.refusal) show({ [route.refusal.field]: route.refusal.words });
      else if (!show({ ...found, ...repeatProblems(draft) })) setOpen(true);
    },
  };
}
