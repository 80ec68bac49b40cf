import { endedRideStates, openAskStates, openRideStates } from '#contract/rides/moves.ts';
import { mostWaitingForRide, type Order } from '#contract/rides/views.ts';
import type { App } from '../../../app-type.ts';
import { movedOn } from '../../../platform/refusal.ts';
import { lockedFit } from '../decide/fit.ts';
import type { LockedOrders } from '../aggregate/locked-orders.ts';
import { leaveRoute, settleRide } from '../decide/cascade.ts';
import { orderNotFound } from '../order-refusals.ts';
import { viewOrder } from '../order-views.ts';
import {
  rideById,
  requestById,
  bookingsOnRoute,
  type BookingRow,
  type RequestRow,
  type RideRow,
} from '../store.ts';
import { alreadyAsked, checkWaiting, noFit, rideClosed, onRide, lockOwnPair, lockPair } from './pair.ts';

/**
 * Puts a passenger on the waitlist of a full ride that would fit. Refuses `ride.hasRoom` where it has seats,
 * `ride.waitlistFull`.
 */
export async function joinWaitlist(
  app: App,
  passengerId: string,
  ids: { rideId: string; requestId: string },
): Promise<{ order: Order }> {
  await onRide(app, ids.rideId, async (locked) => {
    const { ride, request } = await lockOwnPair(locked, ids, {
      side: 'passenger',
      personId: passengerId,
    });
    await checkMayWait(app, locked, ride, request);
    const createdAt = app.clock.now();
    locked.startWaiting({ ...ids, passengerId, createdAt });
    tellWaitlist(locked, ride, request);
  });
  return { order: await viewOrder(app, ids.requestId, passengerId) };
}

/** Refuses a ride that is closed, has been asked already, has seats, or would not fit with a free seat. */
async function checkMayWait(
  app: App,
  locked: LockedOrders,
  ride: RideRow,
  request: RequestRow,
): Promise<void> {
  if (!openRideStates.includes(ride.state) || app.clock.now() >= ride.departsAt) throw rideClosed();
  checkWaiting((await locked.lockRequest(request.id))!);
  const hasAsked = locked
    .bookingsOfRequest(request.id)
    .some(({ rideId, state }) => rideId === ride.id && openAskStates.includes(state));
  if (hasAsked) throw alreadyAsked();
  if (lockedFit(app, locked, { ride, request }) !== null)
    throw movedOn('ride.hasRoom', 'This ride still has room. Please ask to join.');
  if (locked.waitingFor(ride.id).length >= mostWaitingForRide)
    throw movedOn('ride.waitlistFull', 'As many wait for this ride as can. Please look for another one.');
  const withRoom = { ...ride, seats: Number.MAX_SAFE_INTEGER };
  if (request.seats > ride.seats || lockedFit(app, locked, { ride: withRoom, request }) === null)
    throw noFit();
}

/** A passenger leaves the waitlist, or the driver removes them. Does nothing where they are not on it. */
export async function leaveWaitlist(
  app: App,
  personId: string,
  { rideId, requestId }: { rideId: string; requestId: string },
): Promise<{ order: Order }> {
  const [ride, request] = await Promise.all([rideById(app.db, rideId), requestById(app.db, requestId)]);
  if (ride === null || request === null || (ride.driverId !== personId && request.passengerId !== personId))
    throw orderNotFound();
  await onRide(app, rideId, async (locked) => {
    await locked.lockRide(rideId);
    if (locked.stopWaiting({ rideId, requestId })) tellWaitlist(locked, ride, request);
  });
  return { order: await viewOrder(app, ride.driverId === personId ? rideId : requestId, personId) };
}

/**
 * Frees the seats still reserved for ended bookings, and offers each to the next on the waitlist. Most
 * bookings have none: one query finds those that do.
 */
export async function freeKeptSeats(
  app: App,
  ended: readonly { bookingId: string; rideId: string }[],
): Promise<void> {
  for (const seen of await bookingsOnRoute(app.db, ended)) await freeKeptSeat(app, seen);
}

async function freeKeptSeat(app: App, seen: BookingRow): Promise<void> {
  await onRide(app, seen.rideId, async (locked) => {
    const { ride, booking } = await lockPair(locked, seen);
    if (endedRideStates.includes(ride.state) || booking.endedAt === null) return;
    if (!isOnRoute(locked, booking)) return;
    leaveRoute(app, locked, ride, booking);
    settleRide(app, locked, ride.id);
  });
}

const isOnRoute = (locked: LockedOrders, { id, rideId }: BookingRow): boolean =>
  locked.stops(rideId).some(({ bookingId }) => bookingId === id);

/** Signals the pages of both to reload the waitlist. */
const tellWaitlist = (
  locked: LockedOrders,
  { id: rideId, driverId }: RideRow,
  { id: requestId, passengerId }: RequestRow,
): void => locked.emit('waitlist.changed', { rideId, driverId, requestId, passengerId }, rideId);
