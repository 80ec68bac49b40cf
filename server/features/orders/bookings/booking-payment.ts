import { setTimeout as pause } from 'node:timers/promises';
import type { BookingPayment } from '#contract/payments/views.ts';
import { endedRideStates } from '#contract/rides/moves.ts';
import type { App } from '../../../app-type.ts';
import { movedOn } from '../../../platform/refusal.ts';
import {
  currentAuthorization,
  isPaymentSecured,
  needOf,
  payBooking,
  planAuthorization,
  readBeforeEnd,
  workOnBooking,
} from '../../payments/service.ts';
import { bookingsByIds } from '../aggregate/queries.ts';
import { settleBooking } from '../decide/cascade.ts';
import { bySystem } from '../decide/move-log.ts';
import { moveBooking } from '../decide/moves.ts';
import { bookingNotFound } from '../order-refusals.ts';
import { ownBooking, bookingView } from '../order-views.ts';
import type { LockedOrders } from '../aggregate/locked-orders.ts';
import { bookingsOf, type BookingRow, type RequestRow, type RideRow } from '../store.ts';
import { onRide, lockPair } from './pair.ts';
import { payAnewBy } from './rules/deadlines.ts';

/** How long a call waits for the card provider before it answers without the result. */
const answerWithinMs = 10_000;

/**
 * Moves a booking after its payment: a reserved seat is joined once the payment is secured; where the payment
 * of a joined one fails ahead of the ride, its seat is reserved for a while.
 */
export async function followPayment(app: App, bookingId: string): Promise<void> {
  const [seen] = await bookingsByIds(app.db, [bookingId]);
  if (seen === undefined) return;
  await onRide(app, seen.rideId, async (locked) => {
    const { ride, booking } = await lockPair(locked, seen);
    const hold = await currentAuthorization(await locked.db(), bookingId);
    if (hold === null || endedRideStates.includes(ride.state)) return;
    const now = app.clock.now();
    if (booking.awaits === 'payment' && isPaymentSecured(app, hold)) {
      const { isFree, areActive } = locked.standingOf(ride, booking.passengerId);
      // The seat that is reserved then ends soon. A booking joined before a block goes on.
      if (!areActive || (!isFree && booking.joinedAt === null)) return;
      const set = { joinedAt: booking.joinedAt ?? now };
      const moved = moveBooking(app, locked, booking, { move: 'pay', by: bySystem, set });
      settleBooking(app, locked, moved);
    } else if (booking.state === 'joined' && hold.goal === 'authorize' && needOf(hold) !== null) {
      const expiresAt = payAnewBy(now, ride.departsAt);
      const moved = moveBooking(app, locked, booking, {
        move: 'holdFailed',
        by: bySystem,
        expiresAt,
      });
      settleBooking(app, locked, moved);
    }
  });
}

/**
 * Processes the due payment of a booking with the card provider, then moves the booking. With a slow provider
 * the seat stays reserved, and the booking moves when the provider answers.
 */
export async function pay(app: App, bookingId: string): Promise<void> {
  const asking = workOnBooking(app, bookingId).catch((error: unknown) =>
    app.log.error({ err: error, bookingId }, 'a payment failed'),
  );
  await Promise.race([asking, pause(answerWithinMs, undefined, { ref: false })]);
  await followPayment(app, bookingId);
}

/**
 * Reads the payment of a reserved seat whose deadline is over, and follows it: the provider's event may be
 * late. False while the state of the payment is not known.
 */
export async function followLatePayment(app: App, bookingId: string): Promise<boolean> {
  const reading = readBeforeEnd(app, bookingId).catch((error: unknown) => {
    app.log.error({ err: error, bookingId }, 'a payment could not be read');
    return false;
  });
  const isKnown = await Promise.race([reading, pause(answerWithinMs, false, { ref: false })]);
  await followPayment(app, bookingId);
  return isKnown;
}

/** The same for every seat that is reserved on a ride or for a request, before that ends by the clock. */
export async function followLatePayments(
  app: App,
  of: { rideIds: [string] } | { requestIds: [string] },
): Promise<void> {
  const bookings = await bookingsOf(app.db, of);
  for (const { id, awaits } of bookings) if (awaits === 'payment') await followLatePayment(app, id);
}

/** The passenger pays for their booking, or tries again. Refuses `booking.notFound`, `payment.notDue`. */
export async function authorizeBooking(
  app: App,
  passengerId: string,
  input: { bookingId: string; methodId?: string | undefined },
): Promise<BookingPayment> {
  const { side } = await ownBooking(app, input.bookingId, passengerId);
  if (side !== 'passenger') throw bookingNotFound();
  try {
    await payBooking(app, passengerId, input);
  } finally {
    await followPayment(app, input.bookingId);
  }
  const { payment } = await bookingView(app, input.bookingId, passengerId);
  if (payment === null) throw movedOn('payment.notDue', 'You have nothing to pay right now.');
  return payment;
}

/** Plans the authorization of what a passenger who accepts will pay; false until it is secured. */
export async function planPayment(
  app: App,
  locked: LockedOrders,
  { ride, request, booking }: { ride: RideRow; request: RequestRow; booking: BookingRow },
  { amountCents, isPresent }: { amountCents: number; isPresent: boolean },
): Promise<boolean> {
  if (amountCents === 0) return true;
  const { id: bookingId, rideId, requestId, passengerId, driverId, seats } = booking;
  const authorization = await planAuthorization(
    app,
    await locked.db(),
    {
      bookingId,
      rideId,
      requestId,
      passengerId,
      driverId,
      seats,
      orderNumber: ride.orderNumber,
      fromName: booking.pickupName || request.fromName,
      toName: booking.dropoffName || request.toName,
      rideAt: ride.departsAt,
      timeZone: ride.timeZone,
    },
    { amountCents, isPresent },
  );
  return isPaymentSecured(app, authorization);
}
