import type { App } from '../../../app-type.ts';
import {
  fitPair,
  plansFrom,
  type Insertion,
  type Plan,
  type Spot,
  type Wish,
} from '../../matching/service.ts';
import type { RequestRow, RideRow } from '../queries.ts';
import type { Orders } from '../aggregate/orders.ts';

/** The plan of a ride that is orders. */
export function lockedPlan(orders: Orders, ride: RideRow): Plan {
  const plan = plansFrom([ride], orders.stopsWithWindows(ride.id)).get(ride.id);
  if (plan === undefined) throw new Error(`ride ${ride.id} has no plan`);
  return plan;
}

/**
 * The fit of a request with a ride, both of them locked; null where it does not fit. Price and audience are
 * not checked: accepting agrees to the price, and an invited person may join.
 * @param agreed the meeting points that both know: no others are tried
 */
export function lockedFit(
  app: App,
  orders: Orders,
  { ride, request }: { ride: RideRow; request: RequestRow },
  agreed?: { pickup: Spot; dropoff: Spot },
): { plan: Plan; wish: Wish; insertion: Insertion } | null {
  if (ride.women && !orders.areBothWomen(ride.driverId, request.passengerId)) return null;
  return fitPair(app, lockedPlan(orders, ride), request, agreed);
}
