import { randomUUID } from 'node:crypto';
import { endedBookingStates } from '#contract/rides/moves.ts';
import type { Request, Ride } from '#contract/rides/views.ts';
import { refuseField } from '../../../platform/refusal.ts';
import { ceilingCents } from '../../matching/service.ts';
import { bookedPlace } from '../booked-place.ts';
import type { BookingRow, RequestRow, RideRow } from '../store.ts';
import { pay } from './booking-payment.ts';
import { onRide, type BookingContext } from './context.ts';
import { alreadyAsked, checkMayPay, checkOpen, checkWaiting, fitNow } from './guards.ts';
import { joinRide } from './join-ride.ts';
import { lockOwnPair, lockPair } from './pair.ts';
import { answerBy } from './rules/deadlines.ts';
import type { LockedOrders } from '../aggregate/locked-orders.ts';

interface Opening {
  rideId: string;
  requestId: string;
  message: string;
}

/**
 * A passenger asks to join with their request. Refuses a ride that does not fit, is full, closed or asked
 * already.
 */
export async function askToJoin(
  context: BookingContext,
  passengerId: string,
  input: Opening,
): Promise<{ order: Request }> {
  const { orders, platform } = context;
  const { rideId, requestId, message } = input;
  const by = { actor: 'passenger', actorId: passengerId } as const;
  await openBooking(context, { rideId, requestId }, { move: 'ask', by, message });
  for (const { id, awaits } of await orders.bookingsOf(platform.db, { requestIds: [requestId] }))
    if (awaits === 'payment') await pay(context, id);
  const newest = await orders.requestById(requestId);
  return { order: (await orders.requestViews([newest!], passengerId))[0]! };
}

/** A driver invites the passenger of a waiting request. Refuses as `askToJoin` does. */
export async function inviteToRide(
  context: BookingContext,
  driverId: string,
  input: Opening,
): Promise<{ order: Ride }> {
  const { orders } = context;
  const { rideId, requestId, message } = input;
  const by = { actor: 'driver', actorId: driverId } as const;
  await openBooking(context, { rideId, requestId }, { move: 'invite', by, message });
  const ride = await orders.rideById(rideId);
  return { order: (await orders.rideViews([ride!], driverId))[0]! };
}

interface OpeningChange {
  move: 'ask' | 'invite';
  by: { actor: 'driver' | 'passenger'; actorId: string };
  message: string;
}

async function openBooking(
  context: BookingContext,
  ids: { rideId: string; requestId: string },
  change: OpeningChange,
): Promise<void> {
  const { orders } = context;
  const { actor: side, actorId: personId } = change.by;
  return onRide(context, ids.rideId, async (locked) => {
    const { ride, request } = await lockOwnPair(locked, ids, { side, personId });
    if (ride.costCents > 0)
      await checkMayPay(context, locked, request.passengerId, { actor: side, opens: true });
    checkOpen(context, ride);
    checkWaiting(request);
    const booking = await insertBooking(context, locked, { ride, request }, change);
    locked.stopWaiting(ids);
    orders.settle.booking(locked, booking);
    if (change.move === 'ask' && ride.instant)
      await joinRide(context, locked, await lockPair(locked, booking), {
        move: 'joinAtOnce',
        by: change.by,
      });
  });
}

/**
 * Refuses a second open booking of the same two (`booking.exists`), and a share above the limit of a payment.
 */
async function insertBooking(
  context: BookingContext,
  locked: LockedOrders,
  { ride, request }: { ride: RideRow; request: RequestRow },
  { move, by, message }: OpeningChange,
): Promise<BookingRow> {
  const { orders, platform } = context;
  const { clock, env } = platform;
  const { insertion } = await fitNow(context, locked, { ride, request });
  const fareCents = ceilingCents(ride, request.seats, request.offerCents);
  if (fareCents > env.MAX_TRANSACTION_CENTS)
    throw refuseField(
      'order.amountTooHigh',
      'rideId',
      `The maximum transaction amount allowed is $${env.MAX_TRANSACTION_CENTS / 100}.`,
      { amountCents: env.MAX_TRANSACTION_CENTS },
    );
  const row = {
    id: randomUUID(),
    ...bookedPlace(ride, request, insertion, fareCents),
    startedBy: by.actor === 'driver' ? ('driver' as const) : ('passenger' as const),
    message,
    expiresAt: answerBy(move, clock.now(), ride.latestDepartsAt),
    createdAt: clock.now(),
  };
  // Under the locks on both no other booking of the two can be opened meanwhile (`bookings_open_pair`).
  const others = locked.bookingsOfRequest(request.id);
  if (others.some(({ rideId, state }) => rideId === ride.id && !endedBookingStates.includes(state)))
    throw alreadyAsked();
  return orders.moves.openBooking(locked, { move, by }, row);
}
