import { now } from '../../core/clock.ts';
import { useSession } from '../../core/session.ts';
import { useDriverDraft, type DriverDraft } from '../../features/planning/draft.ts';
import { rideOf, type PlanField } from '../../features/planning/publish.ts';
import { planOf } from '../../features/planning/repeat.ts';
import { useCanBePaid } from '../../features/planning/use-can-be-paid.ts';
import { useProblems } from '../../features/planning/use-problems.ts';
import { useDefaultDepartureTime } from '../../features/planning/use-default-departure-time.ts';
import { usePlannedRoute } from '../../features/planning/use-planned-route.ts';
import { useOwnVehicles } from '../../features/planning/vehicle-field.tsx';
import { useEventPrefill } from './use-event-prefill.ts';

export type RidePlan = ReturnType<typeof useRidePlan>;

/** A driver's draft and what follows from it: its way, what is wrong with it and what would be published. */
export function useRidePlan(eventId: string | null) {
  const { user } = useSession();
  const [draft, write] = useDriverDraft();
  const { problems, show, forget } = useProblems();
  const route = usePlannedRoute(draft.from, draft.to, { via: draft.via, local: draft.local });
  const own = useOwnVehicles(draft.vehicleId);
  const canBePaid = useCanBePaid();
  useDefaultDepartureTime(draft.local, route.zone, (local) => write({ local }));
  useEventPrefill(eventId, draft, write);

  const change = (part: Partial<DriverDraft>, ...fields: PlanField[]) => {
    write(part);
    forget(...fields);
  };
  const zone = route.zone ?? 'UTC';
  const { order, problems: found } = rideOf(draft, own.chosen?.id ?? null, {
    zone,
    quote: route.quote,
    contactWith: user.preferContactWith,
    now: now(),
    canBePaid,
  });
  // The way back may begin in another zone.
  const backZone = usePlannedRoute(draft.back && draft.to, draft.back && draft.from).zone ?? zone;
  const plan = planOf(order, draft, backZone);
  return { draft, change, problems, show, found, route, own, canBePaid, zone, backZone, order, plan };
}
