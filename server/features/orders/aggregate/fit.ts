import type { Insertion, MatchingService, Plan, Spot, Wish } from '../../matching/service.ts';
import type { RequestRow, RideRow } from '../queries.ts';
import type { LockedOrders } from './locked-orders.ts';

type Plans = Pick<MatchingService, 'plansFrom' | 'fit'>;

/** The plan of a ride that is locked. */
export function lockedPlan(matching: Pick<Plans, 'plansFrom'>, orders: LockedOrders, ride: RideRow): Plan {
  const plan = matching.plansFrom([ride], orders.stopsWithWindows(ride.id)).get(ride.id);
  if (plan === undefined) throw new Error(`ride ${ride.id} has no plan`);
  return plan;
}

/**
 * How a request fits a ride, both of them locked; null where it does not. Price and audience are not checked:
 * accepting agrees to the price, and an invited person may join.
 * @param agreed the meeting points that both know: no others are tried
 */
export function lockedFit(
  matching: Plans,
  orders: LockedOrders,
  { ride, request }: { ride: RideRow; request: RequestRow },
  agreed?: { pickup: Spot; dropoff: Spot },
): { plan: Plan; wish: Wish; insertion: Insertion } | null {
  if (ride.women && !orders.areBothWomen(ride.driverId, request.passengerId)) return null;
  return matching.fit(lockedPlan(matching, orders, ride), request, agreed);
}
