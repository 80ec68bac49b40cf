import type { OutputOf } from '#contract/define.ts';
import { mostRescues, type rescue } from '#contract/trips/endpoints.ts';
import type { App } from '../../app-type.ts';
import { peopleByIds } from '../identity/service.ts';
import {
  lostBooking,
  orderNotFound,
  type RequestRow,
  bookingsOf,
  matchFew,
  brokenBookingsOf,
  requestById,
} from '../orders/service.ts';
import { causeOf, instantFirst, isOpen } from './tell-of-rescue.ts';

type Rescue = OutputOf<typeof rescue>;

const none: Rescue = { because: null, driverName: '', candidates: [] };

/** Other rides for one's own request that lost its driver. Refuses a request that is not the caller's. */
export async function readRescue(app: App, requestId: string, passengerId: string): Promise<Rescue> {
  const request = await requestById(app.db, requestId);
  if (request === null || request.passengerId !== passengerId) throw orderNotFound();
  return rescueOf(app, request);
}

/** The best rides that fit the request now, without the lost one. */
async function rescueOf(app: App, request: RequestRow): Promise<Rescue> {
  const lost = isOpen(request) ? lostBooking(await bookingsOf(app.db, { requestIds: [request.id] })) : null;
  if (lost === null) return none;
  const [candidates, people, broken] = await Promise.all([
    // One more than are shown: the lost ride may still fit.
    matchFew(app, request.id, request.passengerId, mostRescues + 1),
    peopleByIds(app, [lost.driverId]),
    brokenBookingsOf(app.db, [lost.rideId]),
  ]);
  const others = candidates.filter(({ ride }) => ride.id !== lost.rideId);
  return {
    because: causeOf(lost, broken),
    driverName: people.get(lost.driverId)?.name ?? '',
    candidates: instantFirst(others, ({ ride }) => ride.instant),
  };
}
