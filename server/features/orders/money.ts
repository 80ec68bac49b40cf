import { ridingStates, type BookingMove, type BookingState } from '#contract/rides/moves.ts';
import type { App } from '../../app-type.ts';
import { hourMs, later } from '../../platform/clock.ts';
import { carShares } from '../matching/service.ts';
import {
  isPaymentSecured,
  noShowFeeOf,
  planAuthorization,
  resumePayment,
  settleAuthorization,
} from '../payments/service.ts';
import type { LockedOrders } from './aggregate/locked-orders.ts';
import { bookingProcess, type MoneyEffect } from './process.ts';
import * as store from './store.ts';

/**
 * Applies a move of a booking to its payment: written in the move's transaction, carried out after it. Called
 * with the row after the move.
 */
export function settleMove(
  app: App,
  locked: LockedOrders,
  booking: store.BookingRow,
  { move, from }: { move: BookingMove; from: BookingState },
): void {
  const effect: MoneyEffect = bookingProcess[move].money;
  // A payment is planned when the passenger joins: who has only asked, or was invited, has none.
  if (effect === 'none' || from === 'requesting' || from === 'inviting') return;
  // A free ride asks nothing of payments; one that has become free may have had some.
  if (booking.fareCents === 0 && !locked.isPaid(booking.rideId)) return;
  if (effect === 'resume')
    return locked.thenWrite((db) => resumePayment(app, db, booking.id, booking.fareCents));
  const now = app.clock.now();
  if (effect === 'noShowFee') {
    const ride = locked.ride(booking.rideId)!;
    const price = priceOf(ride, booking, locked.bookingsOfRide(ride.id));
    // A driver whose own device says that they were elsewhere is paid nothing for waiting.
    const captureCents = booking.reachedBy === 'contradicted' ? 0 : noShowFeeOf(app, price);
    locked.changeBooking(booking.id, { lateFeeCents: captureCents });
    const captureAt = later(now, app.env.DISPUTE_HOURS * hourMs);
    return locked.thenWrite((db) =>
      settleAuthorization(app, db, booking.id, { captureCents, kind: 'noShow', captureAt }),
    );
  }
  const captureCents = effect === 'cancellationFee' ? (booking.lateFeeCents ?? 0) : 0;
  locked.thenWrite((db) =>
    settleAuthorization(app, db, booking.id, { captureCents, kind: 'cancellation', captureAt: now }),
  );
}

/**
 * A joined passenger's price if the ride were driven with those who have a seat now; cents.
 * @param bookings of the ride
 */
export function priceOf(
  ride: store.RideRow,
  booking: store.BookingRow,
  bookings: readonly store.BookingRow[],
): number {
  if (ride.priceKind === 'perPerson') return booking.fareCents;
  const riders = bookings.filter(({ id, state }) => id === booking.id || ridingStates.includes(state));
  return carShares(ride, riders, bookings).get(booking.id) ?? booking.fareCents;
}

/** The ride has ended: passengers who rode pay their shares, which are final now, in cents by booking. */
export function settleFares(
  app: App,
  locked: LockedOrders,
  finished: readonly store.BookingRow[],
  shares: ReadonlyMap<string, number>,
): void {
  for (const { id } of finished) {
    const fareCents = shares.get(id)!;
    locked.changeBooking(id, { fareCents });
    const captureAt = app.clock.now();
    locked.thenWrite((db) =>
      settleAuthorization(app, db, id, { captureCents: fareCents, kind: 'fare', captureAt }),
    );
  }
}

/** The ride was interrupted: captures the part of the share that was ridden, after the time to object. */
export function settlePartWay(app: App, locked: LockedOrders, bookingId: string, shareCents: number): void {
  const captureAt = later(app.clock.now(), app.env.DISPUTE_HOURS * hourMs);
  locked.thenWrite((db) =>
    settleAuthorization(app, db, bookingId, { captureCents: shareCents, kind: 'partWay', captureAt }),
  );
}

/** Plans the authorization of what a passenger who accepts will pay; false until it is secured. */
export async function planPayment(
  app: App,
  locked: LockedOrders,
  { ride, request, booking }: { ride: store.RideRow; request: store.RequestRow; booking: store.BookingRow },
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
