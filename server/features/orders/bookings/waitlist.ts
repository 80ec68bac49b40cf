import { endedRideStates, openAskStates, openRideStates } from '#contract/rides/moves.ts';
import { mostWaitingForRide, type Order } from '#contract/rides/views.ts';
import { movedOn } from '../../../platform/refusal.ts';
import { lockedFit } from '../aggregate/fit.ts';
import type { LockedOrders } from '../aggregate/locked-orders.ts';
import { orderNotFound } from '../order-refusals.ts';
import type { BookingRow, RequestRow, RideRow } from '../store.ts';
import { onRide, type BookingContext } from './context.ts';
import { alreadyAsked, checkWaiting, noFit, rideClosed } from './guards.ts';
import { lockOwnPair, lockPair } from './pair.ts';

/**
 * Puts a passenger on the waitlist of a full ride that would fit. Refuses `ride.hasRoom` where it has seats,
 * `ride.waitlistFull`.
 */
export async function joinWaitlist(
  context: BookingContext,
  passengerId: string,
  ids: { rideId: string; requestId: string },
): Promise<{ order: Order }> {
  const { orders, platform } = context;
  await onRide(context, ids.rideId, async (locked) => {
    const { ride, request } = await lockOwnPair(locked, ids, {
      side: 'passenger',
      personId: passengerId,
    });
    await checkMayWait(context, locked, ride, request);
    const createdAt = platform.clock.now();
    locked.startWaiting({ ...ids, passengerId, createdAt });
    tellWaitlist(locked, ride, request);
  });
  return { order: await orders.view(ids.requestId, passengerId) };
}

/** Refuses a ride that is closed, has been asked already, has seats, or would not fit with a free seat. */
async function checkMayWait(
  { platform }: BookingContext,
  locked: LockedOrders,
  ride: RideRow,
  request: RequestRow,
): Promise<void> {
  if (!openRideStates.includes(ride.state) || platform.clock.now() >= ride.departsAt) throw rideClosed();
  checkWaiting((await locked.lockRequest(request.id))!);
  const hasAsked = locked
    .bookingsOfRequest(request.id)
    .some(({ rideId, state }) => rideId === ride.id && openAskStates.includes(state));
  if (hasAsked) throw alreadyAsked();
  if (lockedFit(platform, locked, { ride, request }) !== null)
    throw movedOn('ride.hasRoom', 'This ride still has room. Please ask to join.');
  if (locked.waitingFor(ride.id).length >= mostWaitingForRide)
    throw movedOn('ride.waitlistFull', 'As many wait for this ride as can. Please look for another one.');
  const withRoom = { ...ride, seats: Number.MAX_SAFE_INTEGER };
  if (request.seats > ride.seats || lockedFit(platform, locked, { ride: withRoom, request }) === null)
    throw noFit();
}

/** A passenger leaves the waitlist, or the driver removes them. Does nothing where they are not on it. */
export async function leaveWaitlist(
  context: BookingContext,
  personId: string,
  { rideId, requestId }: { rideId: string; requestId: string },
): Promise<{ order: Order }> {
  const { orders } = context;
  const [ride, request] = await Promise.all([orders.rideById(rideId), orders.requestById(requestId)]);
  if (ride === null || request === null || (ride.driverId !== personId && request.passengerId !== personId))
    throw orderNotFound();
  await onRide(context, rideId, async (locked) => {
    await locked.lockRide(rideId);
    if (locked.stopWaiting({ rideId, requestId })) tellWaitlist(locked, ride, request);
  });
  return { order: await orders.view(ride.driverId === personId ? rideId : requestId, personId) };
}

/**
 * Frees the seats still reserved for ended bookings, and offers each to the next on the waitlist. Most
 * bookings have none: one query finds those that do.
 */
export async function freeKeptSeats(
  context: BookingContext,
  ended: readonly { bookingId: string; rideId: string }[],
): Promise<void> {
  const { orders, platform } = context;
  for (const seen of await orders.bookingsOnRoute(platform.db, ended)) await freeKeptSeat(context, seen);
}

async function freeKeptSeat(context: BookingContext, seen: BookingRow): Promise<void> {
  const { orders } = context;
  await onRide(context, seen.rideId, async (locked) => {
    const { ride, booking } = await lockPair(locked, seen);
    if (endedRideStates.includes(ride.state) || booking.endedAt === null) return;
    if (!isOnRoute(locked, booking)) return;
    orders.settle.leaveRoute(locked, ride, booking);
    orders.settle.ride(locked, ride.id);
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
