import { now } from '../../core/clock.ts';
import { useSession } from '../../core/session.ts';
import { usePassengerDraft, type PassengerDraft } from '../../features/planning/draft.ts';
import { requestOf, type PlanField } from '../../features/planning/publish.ts';
import { planOf } from '../../features/planning/repeat.ts';
import { useProblems } from '../../features/planning/use-problems.ts';
import { useDefaultDepartureTime } from '../../features/planning/use-default-departure-time.ts';
import { usePlannedRoute } from '../../features/planning/use-planned-route.ts';
import { useEventPrefill } from './use-event-prefill.ts';

export type RequestPlan = ReturnType<typeof useRequestPlan>;

/**
 * A passenger's draft and what follows from it: its way, what is wrong with it and what would be published.
 */
export function useRequestPlan(eventId: string | null) {
  const { user } = useSession();
  const [draft, write] = usePassengerDraft();
  const { problems, show, forget } = useProblems();
  const route = usePlannedRoute(draft.from, draft.to, { local: draft.local });
  useDefaultDepartureTime(draft.local, route.zone, (local) => write({ local }));
  useEventPrefill(eventId, draft, write);

  const change = (part: Partial<PassengerDraft>, ...fields: PlanField[]) => {
    write(part);
    forget(...fields);
  };
  const zone = route.zone ?? 'UTC';
  const { order, problems: found } = requestOf(draft, {
    zone,
    quote: route.quote,
    contactWith: user.preferContactWith,
    now: now(),
  });
  // The way back may begin in another zone.
  const backZone = usePlannedRoute(draft.back && draft.to, draft.back && draft.from).zone ?? zone;
  const plan = planOf(order, draft, backZone);
  return { draft, change, problems, show, found, route, zone, backZone, order, plan };
}
