import type { OutputOf } from '#contract/define.ts';
import type * as calls from '#contract/rides/endpoints.ts';
import { ridingStates, seatedStates } from '#contract/rides/moves.ts';
import type { App } from '../../../app-type.ts';
import { hourMs, later, minuteMs } from '../../../platform/clock.ts';
import type { Platform } from '../../../platform/platform.ts';
import { movedOn } from '../../../platform/refusal.ts';
import { cancelFeeOf } from '../../payments/service.ts';
import type { LockedOrders } from '../aggregate/locked-orders.ts';
import { priceOf } from '../decide/money.ts';
import { orderNotFound } from '../order-refusals.ts';
import { viewOrder } from '../order-views.ts';
import { mayMoveRequest, mayMoveRide } from '../rules/may.ts';
import { rideById, bookingsOf, stopsOf, type BookingRow, type RideRow } from '../store.ts';
import { rideFacts } from '../view.ts';
import { hoursAhead } from './rules/deadlines.ts';
import { type OwnOrder, readOwnOrder } from './store.ts';

interface FeeTerms {
  ride: RideRow;
  booking: BookingRow;
  fareCents: number;
}

/** The fee of a passenger who has joined for canceling at an instant. */
const feeOf = (app: App, { ride, booking, fareCents }: FeeTerms, at: Date) =>
  cancelFeeOf(app, { fareCents, joinedAt: booking.joinedAt, departsAt: ride.departsAt }, at);

/**
 * The fee, in cents, that a passenger who cancels now has agreed to: the one shown to them within the last
 * two minutes, where the same terms still give it. Refuses `order.feeChanged` for a fee they were not shown.
 */
export async function agreedFee(
  app: App,
  locked: LockedOrders,
  { ride, booking }: { ride: RideRow; booking: BookingRow },
  seen: SeenFee | null,
): Promise<number> {
  const terms = {
    ride,
    booking,
    fareCents: priceOf(ride, booking, locked.bookingsOfRide(ride.id)),
  };
  if (seen !== null && feeOf(app, terms, seen.at).cents === seen.feeCents) return seen.feeCents;
  if (feeOf(app, terms, app.clock.now()).cents === 0) return 0;
  throw movedOn('order.feeChanged', 'The cancellation fee just changed. Please check the new amount.');
}

/**
 * The consequences of canceling an order now: the people notified, the fee, and whether it is a strike for
 * the driver.
 */
export async function previewCancellation(
  app: App,
  id: string,
  personId: string,
): Promise<OutputOf<typeof calls.cancelPreview>> {
  const { clock, env } = app;
  const now = clock.now();
  const { isDriver, may, joined, departsAt, terms } = await standingFor(app, id, personId);
  const withinHours = hoursAhead(now, departsAt, [
    env.CANCEL_LATE_HOURS,
    isDriver ? env.STRIKE_WITHIN_HOURS : env.CANCEL_FREE_HOURS,
  ]);
  const fee = terms === null ? null : feeOf(app, terms, now);
  const strikesFrom = later(departsAt, -env.STRIKE_WITHIN_HOURS * hourMs);
  return {
    may,
    feeCents: fee?.cents ?? 0,
    fareCents: terms?.fareCents ?? 0,
    percent: fee?.percent ?? 0,
    isGrace: fee?.isGrace ?? false,
    joined,
    withinHours,
    strike: isDriver && joined > 0 && now >= strikesFrom,
    seen:
      terms === null || fee === null
        ? ''
        : await createSeenFees(app).sign({ feeCents: fee.cents, at: now }, personId, terms.booking.id),
  };
}

/** An order as it stands for who would cancel it. */
interface Standing {
  isDriver: boolean;
  may: boolean;
  /** How many have joined; of a request its passenger. */
  joined: number;
  departsAt: Date;
  /** The terms of the fee for a passenger's own place; null where they have joined no ride. */
  terms: FeeTerms | null;
}

const isSeated = ({ state }: BookingRow): boolean => seatedStates.includes(state);

async function standingFor(app: App, idOrNumber: string, personId: string): Promise<Standing> {
  const own = await ownOrder(app, { id: idOrNumber }, personId);
  return own.role === 'driver' ? standingOfRide(app, own.id) : standingOfRequest(app, own);
}

async function standingOfRide(app: App, id: string): Promise<Standing> {
  const { db, clock } = app;
  const [ride, bookings, stops] = await Promise.all([
    rideById(app.db, id),
    bookingsOf(db, { rideIds: [id] }),
    stopsOf(db, [id]),
  ]);
  const may = mayMoveRide(rideFacts(ride!, stops, bookings), clock.now()).includes('cancel');
  const joined = bookings.filter(isSeated).length;
  return { isDriver: true, may, joined, departsAt: ride!.departsAt, terms: null };
}

async function standingOfRequest(
  { db }: App,
  { request, bookings, ride }: Extract<OwnOrder, { role: 'passenger' }>,
): Promise<Standing> {
  const riding = bookings.find(({ state }) => ridingStates.includes(state)) ?? null;
  const seated = bookings.filter(isSeated);
  const [booking] = seated;
  const terms =
    booking === undefined || ride === null
      ? null
      : {
          ride,
          booking,
          fareCents: priceOf(ride, booking, await bookingsOf(db, { rideIds: [ride.id] })),
        };
  return {
    isDriver: false,
    may: mayMoveRequest(request.state, riding?.state ?? null, riding?.unclearAt != null).includes('cancel'),
    joined: seated.length,
    departsAt: ride?.departsAt ?? request.earliestAt,
    terms,
  };
}

/**
 * A person's own ride or request, by id or order number; with one of its bookings, where that is theirs too.
 * Refuses `order.notFound`.
 */
export async function ownOrder(
  app: App,
  { id, bookingId = null }: { id: string; bookingId?: string | null },
  personId: string,
): Promise<OwnOrder> {
  const { kept } = app;
  const isId = /^[0-9a-f]{8}-[0-9a-f-]{27}$/i.test(id);
  const own = isId ? await readOwnOrder(kept, { id, bookingId, personId }) : null;
  if (own !== null) return own;
  const order = await viewOrder(app, id, personId);
  if (!order.mine) throw orderNotFound();
  return (await readOwnOrder(kept, { id: order.id, bookingId, personId }))!;
}

/** How long the fee of a preview is the one charged. */
const seenForMs = 2 * minuteMs;

const purpose = 'cancel-fee';

/** A fee that a preview showed: to whom, for which booking, when. */
interface SeenFee {
  feeCents: number;
  at: Date;
}

/** Signs a cancellation preview, so that the app can send it back but cannot forge one. */
export function createSeenFees({ signedTokens, clock }: Pick<Platform, 'signedTokens' | 'clock'>) {
  const textOf = ({ feeCents, at }: SeenFee, personId: string, bookingId: string) =>
    [personId, bookingId, feeCents, at.getTime()].join(':');

  return {
    async sign(fee: SeenFee, personId: string, bookingId: string): Promise<string> {
      return `${fee.feeCents}.${fee.at.getTime()}.${await signedTokens.derive(purpose, textOf(fee, personId, bookingId))}`;
    },

    /** Null unless it was shown to this person for this booking within the last two minutes. */
    async read(text: string, personId: string, bookingId: string): Promise<SeenFee | null> {
      const parts = /^(\d{1,9})\.(\d{1,15})\.([\w-]+)$/.exec(text);
      if (parts === null) return null;
      const fee = { feeCents: Number(parts[1]), at: new Date(Number(parts[2])) };
      if (!(await signedTokens.isDerived(purpose, textOf(fee, personId, bookingId), parts[3]!))) return null;
      const ageMs = clock.now().getTime() - fee.at.getTime();
      return ageMs >= 0 && ageMs <= seenForMs ? fee : null;
    },
  };
}
