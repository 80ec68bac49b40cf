import { randomUUID } from 'node:crypto';
import { endedBookingStates } from '#contract/rides/moves.ts';
import type { Request, Ride } from '#contract/rides/views.ts';
import type { Db } from '../../../platform/database/db.ts';
import { movedOn, refuseField } from '../../../platform/refusal.ts';
import { ceilingCents } from '../../matching/service.ts';
import { bookedPlace } from '../booked-place.ts';
import type { By } from '../move-log.ts';
import type { BookingRow, RequestRow, RideRow } from '../store.ts';
import type { OrderUnit } from '../unit/order-unit.ts';
import { pay } from './booking-payment.ts';
import { onRide, type BookingContext } from './context.ts';
import { alreadyAsked, checkMayPay, checkOpen, checkWaiting, fitNow } from './guards.ts';
import { joinRide } from './join-ride.ts';
import { lockPair, pairOf } from './pair.ts';
import { answerBy } from './rules/deadlines.ts';

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
  const { orders, payments } = context;
  const { ride, request } = await pairOf(context, 'passenger', passengerId, input);
  if (ride.costCents > 0 && (await payments.owesSomething(passengerId)))
    throw movedOn('payment.owed', 'We couldn’t charge something you owe. Please pay it first.');
  const by: By = { actor: 'passenger', actorId: passengerId };
  const held = await openBooking(context, { ride, request }, { move: 'ask', by, message: input.message });
  const asked = held?.request(request.id) ?? null;
  if (ride.costCents === 0 && asked !== null)
    return { order: (await orders.requestViews([asked], passengerId, held))[0]! };
  if (ride.costCents > 0)
    for (const { id, awaits } of await orders.bookingsOf(context.platform.db, { requestIds: [request.id] }))
      if (awaits === 'payment') await pay(context, id);
  const newest = await orders.requestById(request.id);
  return { order: (await orders.requestViews([newest!], passengerId))[0]! };
}

/** A driver invites the passenger of a waiting request. Refuses as `askToJoin` does. */
export async function inviteToRide(
  context: BookingContext,
  driverId: string,
  input: Opening,
): Promise<{ order: Ride }> {
  const { orders } = context;
  const pair = await pairOf(context, 'driver', driverId, input);
  const by: By = { actor: 'driver', actorId: driverId };
  await openBooking(context, pair, { move: 'invite', by, message: input.message });
  const ride = await orders.rideById(pair.ride.id);
  return { order: (await orders.rideViews([ride!], driverId))[0]! };
}

interface OpeningChange {
  move: 'ask' | 'invite';
  by: By;
  message: string;
}

async function openBooking(
  context: BookingContext,
  { ride, request }: { ride: RideRow; request: RequestRow },
  change: OpeningChange,
): Promise<OrderUnit | null> {
  const { platform, orders } = context;
  if (ride.costCents > 0) await checkMayPay(context, platform.db, request.passengerId, change.by);
  return onRide(context, ride.id, async (tx) => {
    const lockedRide = (await orders.lockRide(tx, ride.id, [request.id]))!;
    checkOpen(context, lockedRide);
    const lockedRequest = (await orders.lockRequest(tx, request.id))!;
    checkWaiting(lockedRequest);
    const booking = await insertBooking(context, tx, { ride: lockedRide, request: lockedRequest }, change);
    await orders.stopWaiting(tx, { rideId: ride.id, requestId: request.id });
    await orders.settle.booking(tx, booking);
    if (change.move === 'ask' && lockedRide.instant)
      await joinRide(context, tx, await lockPair(context, tx, booking), {
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
  tx: Db,
  { ride, request }: { ride: RideRow; request: RequestRow },
  { move, by, message }: OpeningChange,
): Promise<BookingRow> {
  const { orders, platform } = context;
  const { clock, env } = platform;
  const { insertion } = await fitNow(context, tx, { ride, request });
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
  const others = await orders.bookingsOf(tx, { requestIds: [request.id] });
  if (others.some(({ rideId, state }) => rideId === ride.id && !endedBookingStates.includes(state)))
    throw alreadyAsked();
  return orders.moves.openBooking(tx, { move, by }, row);
}
