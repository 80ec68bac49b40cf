import { endedRideStates, openAskStates, openRideStates } from '#contract/rides/moves.ts';
import { mostWaitingForRide, type Order } from '#contract/rides/views.ts';
import type { Db } from '../../../platform/database/db.ts';
import { movedOn } from '../../../platform/refusal.ts';
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
  await onRide(context, ids.rideId, async (tx) => {
    const { ride, request } = await lockOwnPair(context, tx, ids, {
      side: 'passenger',
      personId: passengerId,
    });
    await checkMayWait(context, tx, ride, request);
    const createdAt = platform.clock.now();
    await orders.startWaiting(tx, { ...ids, passengerId, createdAt });
    await tellWaitlist(context, tx, ride, request);
  });
  return { order: await orders.view(ids.requestId, passengerId) };
}

/** Refuses a ride that is closed, has been asked already, has seats, or would not fit with a free seat. */
async function checkMayWait(
  { orders, matching, platform }: BookingContext,
  tx: Db,
  ride: RideRow,
  request: RequestRow,
): Promise<void> {
  if (!openRideStates.includes(ride.state) || platform.clock.now() >= ride.departsAt) throw rideClosed();
  checkWaiting((await orders.lockRequest(tx, request.id))!);
  const hasAsked = (await orders.bookingsOf(tx, { requestIds: [request.id] })).some(
    ({ rideId, state }) => rideId === ride.id && openAskStates.includes(state),
  );
  if (hasAsked) throw alreadyAsked();
  if ((await matching.fit(tx, ride, request)) !== null)
    throw movedOn('ride.hasRoom', 'This ride still has room. Please ask to join.');
  if ((await orders.waitingFor(tx, [ride.id])).length >= mostWaitingForRide)
    throw movedOn('ride.waitlistFull', 'As many wait for this ride as can. Please look for another one.');
  const withRoom = { ...ride, seats: Number.MAX_SAFE_INTEGER };
  if (request.seats > ride.seats || (await matching.fit(tx, withRoom, request)) === null) throw noFit();
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
  await onRide(context, rideId, async (tx) => {
    await orders.lockRide(tx, rideId);
    if (await orders.stopWaiting(tx, { rideId, requestId })) await tellWaitlist(context, tx, ride, request);
  });
  return { order: await orders.view(ride.driverId === personId ? rideId : requestId, personId) };
}

/**
 * Frees the seats still kept for ended bookings, and offers each to the next on the waitlist. Most bookings
 * have none: one look finds those that do.
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
  await onRide(context, seen.rideId, async (tx) => {
    const { ride, booking } = await lockPair(context, tx, seen);
    if (endedRideStates.includes(ride.state) || booking.endedAt === null) return;
    if (!(await isOnRoute(context, tx, booking))) return;
    await orders.settle.leaveRoute(tx, ride, booking);
    await orders.settle.ride(tx, ride.id);
  });
}

const isOnRoute = async ({ orders }: BookingContext, tx: Db, { id, rideId }: BookingRow): Promise<boolean> =>
  (await orders.stopsOf(tx, [rideId])).some(({ bookingId }) => bookingId === id);

/** Signals the pages of both to reload the waitlist. */
const tellWaitlist = (
  { platform }: BookingContext,
  tx: Db,
  { id: rideId, driverId }: RideRow,
  { id: requestId, passengerId }: RequestRow,
): Promise<void> =>
  platform.outbox.emit(tx, 'waitlist.changed', { rideId, driverId, requestId, passengerId }, rideId);
