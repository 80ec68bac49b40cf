import { ridingStates, type BookingMove, type BookingState } from '#contract/rides/moves.ts';
import type { Platform } from '../../platform/platform.ts';
import { hourMs, later } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/db.ts';
import type { PaymentsService } from '../payments/service.ts';
import { carShares } from '../matching/service.ts';
import { bookingProcess, type MoneyEffect } from './process.ts';
import * as store from './store.ts';
import { unitOf } from './unit/order-unit.ts';

interface MoneyContext extends Pick<Platform, 'clock' | 'env'> {
  payments: PaymentsService;
}

export type Money = ReturnType<typeof createMoney>;

/** What the moves of orders mean for money: written in the move's transaction, carried out after it. */
export function createMoney({ clock, env }: Platform, payments: PaymentsService) {
  const context: MoneyContext = { clock, env, payments };
  return {
    afterMove: settleMove.bind(null, context),
    priceOf,
    sharesOf,
    fareDue: settleFares.bind(null, context),
    partWayDue: settlePartWay.bind(null, context),
    plan: planAuthorization.bind(null, context),
  };
}

/** What a move of a booking means for its payment. Called with the row after the move. */
async function settleMove(
  { clock, env, payments }: MoneyContext,
  tx: Db,
  booking: store.BookingRow,
  { move, from }: { move: BookingMove; from: BookingState },
): Promise<void> {
  const effect: MoneyEffect = bookingProcess[move].money;
  // A payment is planned when the passenger joins: who has only asked, or was invited, has none.
  if (effect === 'none' || from === 'requesting' || from === 'inviting') return;
  // A free ride asks nothing of payments; one that has become free may have had some.
  if (booking.fareCents === 0 && unitOf(tx)?.isPaid(booking.rideId) === false) return;
  if (effect === 'resume') return payments.resume(tx, booking.id, booking.fareCents);
  const now = clock.now();
  if (effect === 'noShowFee') {
    const [ride] = await store.ridesByIds(tx, [booking.rideId]);
    // A driver whose own device says that they were elsewhere is paid nothing for waiting.
    const captureCents =
      booking.reachedBy === 'contradicted' ? 0 : payments.noShowFee(await priceOf(tx, ride!, booking));
    await store.updateBooking(tx, booking.id, { lateFeeCents: captureCents });
    const captureAt = later(now, env.DISPUTE_HOURS * hourMs);
    await payments.settle(tx, booking.id, { captureCents, kind: 'noShow', captureAt });
    return;
  }
  const captureCents = effect === 'cancellationFee' ? (booking.lateFeeCents ?? 0) : 0;
  await payments.settle(tx, booking.id, { captureCents, kind: 'cancellation', captureAt: now });
}

/** What each passenger pays, in cents by booking: of a price per car, their share. */
async function sharesOf(
  tx: Db,
  ride: store.RideRow,
  riders: readonly store.BookingRow[],
): Promise<ReturnType<typeof carShares>> {
  return carShares(ride, riders, await store.bookingsOf(tx, { rideIds: [ride.id] }));
}

/**
 * What a passenger who has joined would pay if the ride were driven with those who have a seat now; cents.
 */
async function priceOf(tx: Db, ride: store.RideRow, booking: store.BookingRow): Promise<number> {
  if (ride.priceKind === 'perPerson') return booking.fareCents;
  const bookings = await store.bookingsOf(tx, { rideIds: [ride.id] });
  const riders = bookings.filter(({ id, state }) => id === booking.id || ridingStates.includes(state));
  return carShares(ride, riders, bookings).get(booking.id) ?? booking.fareCents;
}

/** The ride has ended: passengers who rode pay their shares, which are final now, in cents by booking. */
async function settleFares(
  { clock, payments }: MoneyContext,
  tx: Db,
  finished: readonly store.BookingRow[],
  shares: ReadonlyMap<string, number>,
): Promise<void> {
  for (const { id } of finished) {
    const fareCents = shares.get(id)!;
    await store.updateBooking(tx, id, { fareCents });
    await payments.settle(tx, id, { captureCents: fareCents, kind: 'fare', captureAt: clock.now() });
  }
}

/** The ride was interrupted: captures the part of the share that was ridden, after the time to object. */
const settlePartWay = (
  { clock, env, payments }: MoneyContext,
  tx: Db,
  bookingId: string,
  shareCents: number,
): Promise<void> =>
  payments.settle(tx, bookingId, {
    captureCents: shareCents,
    kind: 'partWay',
    captureAt: later(clock.now(), env.DISPUTE_HOURS * hourMs),
  });

/** Plans the authorization of what a passenger who accepts will pay; false until it is secured. */
async function planAuthorization(
  { payments }: MoneyContext,
  tx: Db,
  { ride, request, booking }: { ride: store.RideRow; request: store.RequestRow; booking: store.BookingRow },
  { amountCents, isPresent }: { amountCents: number; isPresent: boolean },
): Promise<boolean> {
  if (amountCents === 0) return true;
  const { id: bookingId, rideId, requestId, passengerId, driverId, seats } = booking;
  const authorization = await payments.plan(
    tx,
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
  return payments.isSecured(authorization);
}
