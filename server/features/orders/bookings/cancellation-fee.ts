import type { OutputOf } from '#contract/define.ts';
import type * as calls from '#contract/rides/endpoints.ts';
import { seatedStates } from '#contract/rides/moves.ts';
import { hourMs, later } from '../../../platform/clock.ts';
import type { Db } from '../../../platform/database/db.ts';
import { movedOn } from '../../../platform/refusal.ts';
import { orderNotFound } from '../order-refusals.ts';
import type { BookingRow, RideRow } from '../store.ts';
import type { BookingContext } from './context.ts';
import { hoursAhead } from './rules/deadlines.ts';
import { createSeenFees, type SeenFee } from './seen-fee.ts';

interface FeeTerms {
  ride: RideRow;
  booking: BookingRow;
  fareCents: number;
}

/** What a passenger who has joined owes for canceling at an instant. */
const feeOf = ({ payments }: BookingContext, { ride, booking, fareCents }: FeeTerms, at: Date) =>
  payments.cancelFee({ fareCents, joinedAt: booking.joinedAt, departsAt: ride.departsAt }, at);

/**
 * The fee, in cents, that a passenger who cancels now has agreed to: the one shown to them within the last
 * two minutes, where the same terms still give it. Refuses `order.feeChanged` for a fee they were not shown.
 */
export async function agreedFee(
  context: BookingContext,
  tx: Db,
  { ride, booking }: { ride: RideRow; booking: BookingRow },
  seen: SeenFee | null,
): Promise<number> {
  const terms = { ride, booking, fareCents: await context.orders.money.priceOf(tx, ride, booking) };
  if (seen !== null && feeOf(context, terms, seen.at).cents === seen.feeCents) return seen.feeCents;
  if (feeOf(context, terms, context.platform.clock.now()).cents === 0) return 0;
  throw movedOn('order.feeChanged', 'The cancellation fee just changed. Please check the new amount.');
}

/**
 * What canceling an order would mean now: who is notified, the fee, and whether it is a strike for the
 * driver.
 */
export async function previewCancellation(
  context: BookingContext,
  id: string,
  personId: string,
): Promise<OutputOf<typeof calls.cancelPreview>> {
  const { orders, platform } = context;
  const { clock, env } = platform;
  const order = await orders.view(id, personId);
  if (!order.mine) throw orderNotFound();
  const now = clock.now();
  const isDriver = order.role === 'driver';
  const joined = order.bookings.filter(({ state }) => seatedStates.includes(state));
  const terms = isDriver
    ? null
    : await ownTerms(
        context,
        joined.map((booking) => booking.id),
      );
  const departsAt = terms?.ride.departsAt ?? new Date(isDriver ? order.departsAt : order.earliestAt);
  const withinHours = hoursAhead(now, departsAt, [
    env.CANCEL_LATE_HOURS,
    isDriver ? env.STRIKE_WITHIN_HOURS : env.CANCEL_FREE_HOURS,
  ]);
  const fee = terms === null ? null : feeOf(context, terms, now);
  const strikesFrom = later(departsAt, -env.STRIKE_WITHIN_HOURS * hourMs);
  return {
    may: (order.may as readonly string[]).includes('cancel'),
    feeCents: fee?.cents ?? 0,
    fareCents: terms?.fareCents ?? 0,
    percent: fee?.percent ?? 0,
    isGrace: fee?.isGrace ?? false,
    joined: joined.length,
    withinHours,
    strike: isDriver && joined.length > 0 && now >= strikesFrom,
    seen:
      terms === null || fee === null
        ? ''
        : await createSeenFees(platform).sign({ feeCents: fee.cents, at: now }, personId, terms.booking.id),
  };
}

/** The terms of the fee for a passenger's own place; null where they have joined no ride. */
async function ownTerms(
  { orders, platform }: BookingContext,
  bookingIds: readonly string[],
): Promise<FeeTerms | null> {
  const [booking] = await orders.bookingsByIds(platform.db, bookingIds);
  const ride = booking === undefined ? null : await orders.rideById(booking.rideId);
  if (booking === undefined || ride === null) return null;
  return { ride, booking, fareCents: await orders.money.priceOf(platform.db, ride, booking) };
}
