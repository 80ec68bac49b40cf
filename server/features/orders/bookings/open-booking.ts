import { randomUUID } from 'node:crypto';
import { endedBookingStates } from '#contract/rides/moves.ts';
import type { Request, Ride } from '#contract/rides/views.ts';
import type { App } from '../../../app-type.ts';
import { refuseField } from '../../../platform/refusal.ts';
import { ceilingCents } from '../../matching/service.ts';
import type { LockedOrders } from '../aggregate/locked-orders.ts';
import { bookedPlace } from '../booked-place.ts';
import { settleBooking } from '../decide/cascade.ts';
import { openBooking } from '../decide/moves.ts';
import { requestViews, rideViews } from '../order-views.ts';
import { requestById, rideById, type BookingRow, type RequestRow, type RideRow } from '../store.ts';
import { pay } from './booking-payment.ts';
import {
  alreadyAsked,
  checkMayPay,
  checkOpen,
  checkWaiting,
  fitNow,
  onRide,
  lockOwnPair,
  lockPair,
} from './pair.ts';
import { joinRide } from './accept-booking.ts';
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
export async function askToJoin(app: App, passengerId: string, input: Opening): Promise<{ order: Request }> {
  const { rideId, requestId, message } = input;
  const by = { actor: 'passenger', actorId: passengerId } as const;
  const toPay = await openPair(app, { rideId, requestId }, { move: 'ask', by, message });
  if (toPay !== null) await pay(app, toPay);
  const newest = await requestById(app.kept, requestId);
  return { order: (await requestViews(app, [newest!], passengerId))[0]! };
}

/** A driver invites the passenger of a waiting request. Refuses as `askToJoin` does. */
export async function inviteToRide(app: App, driverId: string, input: Opening): Promise<{ order: Ride }> {
  const { rideId, requestId, message } = input;
  const by = { actor: 'driver', actorId: driverId } as const;
  await openPair(app, { rideId, requestId }, { move: 'invite', by, message });
  const ride = await rideById(app.kept, rideId);
  return { order: (await rideViews(app, [ride!], driverId))[0]! };
}

interface OpeningChange {
  move: 'ask' | 'invite';
  by: { actor: 'driver' | 'passenger'; actorId: string };
  message: string;
}

/** Opens a booking. @returns the id of one that is joined at once and waits for its payment, else null */
async function openPair(
  app: App,
  ids: { rideId: string; requestId: string },
  change: OpeningChange,
): Promise<string | null> {
  const { actor: side, actorId: personId } = change.by;
  return onRide(app, ids.rideId, async (locked) => {
    const { ride, request } = await lockOwnPair(locked, ids, { side, personId });
    if (ride.costCents > 0) await checkMayPay(app, locked, request.passengerId, { actor: side, opens: true });
    checkOpen(app, ride);
    checkWaiting(request);
    const booking = await insertBooking(app, locked, { ride, request }, change);
    locked.stopWaiting(ids);
    settleBooking(app, locked, booking);
    if (change.move !== 'ask' || !ride.instant) return null;
    const joined = await joinRide(app, locked, await lockPair(locked, booking), {
      move: 'joinAtOnce',
      by: change.by,
    });
    return joined.awaits === 'payment' ? joined.id : null;
  });
}

/**
 * Refuses a second open booking of the same two (`booking.exists`), and a share above the limit of a payment.
 */
async function insertBooking(
  app: App,
  locked: LockedOrders,
  { ride, request }: { ride: RideRow; request: RequestRow },
  { move, by, message }: OpeningChange,
): Promise<BookingRow> {
  const { clock, env } = app;
  const { insertion } = await fitNow(app, locked, { ride, request });
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
  return openBooking(app, locked, { move, by }, row);
}
