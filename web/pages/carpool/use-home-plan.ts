import type { PlanDraft } from '../../features/planning/draft.ts';
import { useDefaultDepartureTime } from '../../features/planning/use-default-departure-time.ts';
import { usePlanForm, type PlanForm } from '../../features/planning/use-plan-form.ts';
import { usePlannedRoute, type PlannedRoute } from '../../features/planning/use-planned-route.ts';
import { useStartAtHome } from './home-shortcuts.tsx';

/** A home's draft as its form, and the way that is planned in it. */
export interface HomePlan extends PlanForm {
  route: PlannedRoute;
  /** What is wrong with its two ends. */
  endErrors: { from: string | undefined; to: string | undefined };
}

export function useHomePlan(store: PlanDraft): HomePlan {
  const form = usePlanForm(store);
  const { values, errorOf, set, change } = form;
  const route = usePlannedRoute(values.from, values.to, { local: values.local });
  useDefaultDepartureTime(values.local, route.zone, (local) => set('local', local));
  useStartAtHome(values, change);
  const { refusal } = route;
  const errorOfEnd = (end: 'from' | 'to') =>
    errorOf(end) ?? (refusal?.field === end ? refusal.words : undefined);
  return { ...form, route, endErrors: { from: errorOfEnd('from'), to: errorOfEnd('to') } };
}
