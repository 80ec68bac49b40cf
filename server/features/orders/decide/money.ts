import { ridingStates, type BookingMove, type BookingState } from '#contract/rides/moves.ts';
import type { App } from '../../../app-type.ts';
import { hourMs, later } from '../../../platform/clock.ts';
import { carShares } from '../../matching/service.ts';
import { noShowFeeOf, resumePayment, settleAuthorization } from '../../payments/service.ts';
import type { Orders } from '../aggregate/orders.ts';
import { bookingProcess, type MoneyEffect } from '../process.ts';
import type { BookingRow, RideRow } from '../queries.ts';

/**
 * Applies a move of a booking to its payment: written in the move's transaction, carried out after it. Called
 * with the row after the move.
 */
export function settleMove(
  app: App,
  orders: Orders,
  booking: BookingRow,
  { move, from }: { move: BookingMove; from: BookingState },
): void {
  const effect: MoneyEffect = bookingProcess[move].money;
  // A payment is planned when the passenger joins: who has only asked, or was invited, has none.
  if (effect === 'none' || from === 'requesting' || from === 'inviting') return;
  // A free ride asks nothing of payments; one that has become free may have had some.
  if (booking.fareCents === 0 && !orders.isPaid(booking.rideId)) return;
  if (effect === 'resume')
    return orders.thenWrite((db) => resumePayment(app, db, booking.id, booking.fareCents));
  const now = app.clock.now();
  if (effect === 'noShowFee') {
    const ride = orders.ride(booking.rideId)!;
    const price = priceOf(ride, booking, orders.bookingsOfRide(ride.id));
    // A driver whose own device says that they were elsewhere is paid nothing for waiting.
    const captureCents = booking.reachedBy === 'contradicted' ? 0 : noShowFeeOf(app, price);
    orders.changeBooking(booking.id, { lateFeeCents: captureCents });
    const captureAt = later(now, app.env.DISPUTE_HOURS * hourMs);
    return orders.thenWrite((db) =>
      settleAuthorization(app, db, booking.id, { captureCents, kind: 'noShow', captureAt }),
    );
  }
  const captureCents = effect === 'cancellationFee' ? (booking.lateFeeCents ?? 0) : 0;
  orders.thenWrite((db) =>
    settleAuthorization(app, db, booking.id, { captureCents, kind: 'cancellation', captureAt: now }),
  );
}

/**
 * A joined passenger's price if the ride were driven with those who have a seat now; cents.
 * @param bookings of the ride
 */
export function priceOf(ride: RideRow, booking: BookingRow, bookings: readonly BookingRow[]): number {
  if (ride.priceKind === 'perPerson') return booking.fareCents;
  const riders = bookings.filter(({ id, state }) => id === booking.id || ridingStates.includes(state));
  return carShares(ride, riders, bookings).get(booking.id) ?? booking.fareCents;
}

/** The ride has ended: passengers who rode pay their shares, which are final now, in cents by booking. */
export function settleFares(
  app: App,
  orders: Orders,
  finished: readonly BookingRow[],
  shares: ReadonlyMap<string, number>,
): void {
  for (const { id } of finished) {
    const fareCents = shares.get(id)!;
    orders.changeBooking(id, { fareCents });
    const captureAt = app.clock.now();
    orders.thenWrite((db) =>
      settleAuthorization(app, db, id, { captureCents: fareCents, kind: 'fare', captureAt }),
    );
  }
}

/** The ride was interrupted: captures the part of the share that was ridden, after the time to object. */
export function settlePartWay(app: App, orders: Orders, bookingId: string, shareCents: number): void {
  const captureAt = later(app.clock.now(), app.env.DISPUTE_HOURS * hourMs);
  orders.thenWrite((db) =>
    settleAuthorization(app, db, bookingId, { captureCents: shareCents, kind: 'partWay', captureAt }),
  );
}
