import type { OutputOf } from '#contract/define.ts';
import type * as calls from '#contract/rides/endpoints.ts';
import { searchingStates } from '#contract/rides/moves.ts';
import { everything, requestsForRide } from '../../matching/service.ts';
import { countWaitingWhoSee } from '../audience/queries.ts';
import type { OrderContext } from '../context.ts';
import { orderNotFound } from '../order-refusals.ts';
import * as store from '../store.ts';

/**
 * How many people with an open request can see one's own ride, and how many of them fit. Refuses
 * `order.notFound`.
 */
export async function countAudience(
  { platform }: OrderContext,
  rideId: string,
  viewerId: string,
): Promise<OutputOf<typeof calls.audience>> {
  const [ride] = await store.ridesByIds(platform.db, [rideId]);
  if (ride?.driverId !== viewerId) throw orderNotFound();
  if (!searchingStates.includes(ride.state)) return { canSee: 0, fit: 0 };
  const [canSee, { fits }] = await Promise.all([
    countWaitingWhoSee(platform.db, ride, platform.clock.now()),
    requestsForRide(platform, ride, everything),
  ]);
  return { canSee, fit: new Set(fits.map((fit) => fit.request!.passengerId)).size };
}
