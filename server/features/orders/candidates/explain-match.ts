import type { OutputOf } from '#contract/define.ts';
import type * as calls from '#contract/rides/endpoints.ts';
import { seatedStates } from '#contract/rides/moves.ts';
import type { App } from '../../../app-type.ts';
import { movedOn } from '../../../platform/refusal.ts';
import { explainPair } from '../../matching/service.ts';
import { seeEachOther } from '../audience/queries.ts';
import { orderNotFound } from '../order-refusals.ts';
import * as store from '../store.ts';

/**
 * Rule by rule why a ride and a request fit or do not, for the owner of one of them. Refuses
 * `order.notFound`, and `booking.exists` where they ride together already.
 */
export async function explainMatch(
  app: App,
  rideId: string,
  requestId: string,
  viewerId: string,
): Promise<OutputOf<typeof calls.explain>> {
  const { ride, request } = await readPair(app, rideId, requestId, viewerId);
  const bookings = await store.bookingsOf(app.db, { requestIds: [requestId] });
  if (bookings.some((booking) => booking.rideId === rideId && seatedStates.includes(booking.state)))
    throw movedOn('booking.exists', 'You’re already riding together.');
  const viewer = ride.driverId === viewerId ? 'driver' : 'passenger';
  const { fits, rules } = await explainPair(app, ride, request, viewer);
  return { fits, rules: [...rules] };
}

/** A ride and a request whose owners may see each other's. Refuses `order.notFound`. */
async function readPair(
  { db }: App,
  rideId: string,
  requestId: string,
  viewerId: string,
): Promise<{ ride: store.RideRow; request: store.RequestRow }> {
  const [ride] = await store.ridesByIds(db, [rideId]);
  const [request] = await store.requestsByIds(db, [requestId]);
  if (
    ride === undefined ||
    request === undefined ||
    (ride.driverId !== viewerId && request.passengerId !== viewerId) ||
    ride.driverId === request.passengerId ||
    !(await seeEachOther(db, rideId, requestId))
  )
    throw orderNotFound();
  return { ride, request };
}
