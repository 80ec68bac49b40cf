import { setTimeout as pause } from 'node:timers/promises';
import type { BookingPayment } from '#contract/payments/views.ts';
import { endedRideStates } from '#contract/rides/moves.ts';
import { movedOn } from '../../../platform/refusal.ts';
import {
  currentAuthorization,
  isPaymentSecured,
  needOf,
  payBooking,
  readBeforeEnd,
  workOnBooking,
} from '../../payments/service.ts';
import { bySystem } from '../move-log.ts';
import { bookingNotFound } from '../order-refusals.ts';
import { onRide, type BookingContext } from './context.ts';
import { lockPair } from './pair.ts';
import { payAnewBy } from './rules/deadlines.ts';

/** How long a call waits for the card provider before it answers without the result. */
const answerWithinMs = 10_000;

/**
 * Moves a booking after its payment: a reserved seat is joined once the payment is secured; where the payment
 * of a joined one fails ahead of the ride, its seat is reserved for a while.
 */
export async function followPayment(context: BookingContext, bookingId: string): Promise<void> {
  const { platform, orders } = context;
  const [seen] = await orders.bookingsByIds(platform.db, [bookingId]);
  if (seen === undefined) return;
  await onRide(context, seen.rideId, async (locked) => {
    const { ride, booking } = await lockPair(locked, seen);
    const hold = await currentAuthorization(await locked.db(), bookingId);
    if (hold === null || endedRideStates.includes(ride.state)) return;
    const now = platform.clock.now();
    if (booking.awaits === 'payment' && isPaymentSecured(platform, hold)) {
      const { isFree, areActive } = locked.standingOf(ride, booking.passengerId);
      // The seat that is reserved then ends soon. A booking joined before a block goes on.
      if (!areActive || (!isFree && booking.joinedAt === null)) return;
      const set = { joinedAt: booking.joinedAt ?? now };
      const moved = orders.moves.moveBooking(locked, booking, { move: 'pay', by: bySystem, set });
      orders.settle.booking(locked, moved);
    } else if (booking.state === 'joined' && hold.goal === 'hold' && needOf(hold) !== null) {
      const expiresAt = payAnewBy(now, ride.departsAt);
      const moved = orders.moves.moveBooking(locked, booking, {
        move: 'holdFailed',
        by: bySystem,
        expiresAt,
      });
      orders.settle.booking(locked, moved);
    }
  });
}

/**
 * Processes the due payment of a booking with the card provider, then moves the booking. With a slow provider
 * the seat stays reserved, and the booking moves when the provider answers.
 */
export async function pay(context: BookingContext, bookingId: string): Promise<void> {
  const { platform } = context;
  const asking = workOnBooking(platform, bookingId).catch((error: unknown) =>
    platform.log.error({ err: error, bookingId }, 'a payment failed'),
  );
  await Promise.race([asking, pause(answerWithinMs, undefined, { ref: false })]);
  await followPayment(context, bookingId);
}

/**
 * Reads the payment of a reserved seat whose deadline is over, and follows it: the provider's event may be
 * late. False while the state of the payment is not known.
 */
export async function followLatePayment(context: BookingContext, bookingId: string): Promise<boolean> {
  const { platform } = context;
  const reading = readBeforeEnd(platform, bookingId).catch((error: unknown) => {
    platform.log.error({ err: error, bookingId }, 'a payment could not be read');
    return false;
  });
  const isKnown = await Promise.race([reading, pause(answerWithinMs, false, { ref: false })]);
  await followPayment(context, bookingId);
  return isKnown;
}

/** The same for every seat that is reserved on a ride or for a request, before that ends by the clock. */
export async function followLatePayments(
  context: BookingContext,
  of: { rideIds: [string] } | { requestIds: [string] },
): Promise<void> {
  const bookings = await context.orders.bookingsOf(context.platform.db, of);
  for (const { id, awaits } of bookings) if (awaits === 'payment') await followLatePayment(context, id);
}

/** The passenger pays for their booking, or tries again. Refuses `booking.notFound`, `payment.notDue`. */
export async function authorizeBooking(
  context: BookingContext,
  passengerId: string,
  input: { bookingId: string; methodId?: string | undefined },
): Promise<BookingPayment> {
  const { orders, platform } = context;
  const { side } = await orders.ownBooking(input.bookingId, passengerId);
  if (side !== 'passenger') throw bookingNotFound();
  try {
    await payBooking(platform, passengerId, input);
  } finally {
    await followPayment(context, input.bookingId);
  }
  const { payment } = await orders.bookingView(input.bookingId, passengerId);
  if (payment === null) throw movedOn('payment.notDue', 'You have nothing to pay right now.');
  return payment;
}
