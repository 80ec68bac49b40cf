import type { OutputOf } from '#contract/define.ts';
import type * as calls from '#contract/rides/endpoints.ts';
import { searchingStates } from '#contract/rides/moves.ts';
import type { App } from '../../../app-type.ts';
import { everything, requestsForRide } from '../../matching/service.ts';
import { countWaitingWhoSee } from '../audience/queries.ts';
import { orderNotFound } from '../order-refusals.ts';
import * as store from '../store.ts';

/**
 * How many people with an open request can see one's own ride, and how many of them fit. Refuses
 * `order.notFound`.
 */
export async function countAudience(
  app: App,
  rideId: string,
  viewerId: string,
): Promise<OutputOf<typeof calls.audience>> {
  const [ride] = await store.ridesByIds(app.db, [rideId]);
  if (ride?.driverId !== viewerId) throw orderNotFound();
  if (!searchingStates.includes(ride.state)) return { canSee: 0, fit: 0 };
  const [canSee, { fits }] = await Promise.all([
    countWaitingWhoSee(app.db, ride, app.clock.now()),
    requestsForRide(app, ride, everything),
  ]);
  return { canSee, fit: new Set(fits.map((fit) => fit.request!.passengerId)).size };
}
