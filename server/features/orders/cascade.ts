import type { App } from '../../app-type.ts';
import { isAgreed, openAskStates } from '#contract/rides/moves.ts';
import { estimateTravel } from '#roads/graph/estimate.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/db.ts';
import type { PaymentsService } from '../payments/service.ts';
import { withoutBooking, type MatchingService } from '../matching/service.ts';
import { bySystem } from './move-log.ts';
import type { Moves } from './moves.ts';
import { createOfferSeat } from './offer-seat.ts';
import { nextDeparture } from './rules/next-departure.ts';
import { rescueWindow } from './rules/rebooking.ts';
import { nextRequestMove, nextRideMove } from './rules/cascade.ts';
import { followPlan, followRequest, takeTime } from './spans/store.ts';
import * as store from './store.ts';

const isOpenAsk = (booking: store.BookingRow) => openAskStates.includes(booking.state);

export type Cascade = ReturnType<typeof createCascade>;

/** The latest booking that the driver canceled or did not come for; null where there is none. */
export const lostBooking = (bookings: readonly store.BookingRow[]): store.BookingRow | null =>
  bookings
    .filter(({ joinedAt, fault, endedAt }) => joinedAt !== null && fault === 'driver' && endedAt !== null)
    .toSorted((a, b) => b.endedAt!.getTime() - a.endedAt!.getTime())[0] ?? null;

interface CascadeContext {
  clock: Clock;
  moves: Moves;
  matching: MatchingService;
  payments: PaymentsService;
  /** Offers a free seat to the first person on the waitlist whom it fits; returns their request, or null. */
  offerSeat: ReturnType<typeof createOfferSeat>;
}

/**
 * What follows from a move: the states of related orders and bookings, the route, the shares. Called under
 * the lock on the ride.
 */
export function createCascade(
  platform: App,
  moves: Moves,
  matching: MatchingService,
  payments: PaymentsService,
) {
  const offerSeat = createOfferSeat(platform, moves, matching);
  const context: CascadeContext = { clock: platform.clock, moves, matching, payments, offerSeat };
  return {
    closeAsks: closeAsks.bind(null, context),
    ride: settleRide.bind(null, context),
    request: settleRequest.bind(null, context),
    requests: settleRequests.bind(null, context),
    booking: settleBooking.bind(null, context),
    followClock: followClock.bind(null, context),
    leaveRoute: leaveRoute.bind(null, context),
  };
}

/** Ends asks and invitations that can no longer be answered; free for both sides. */
async function closeAsks(
  context: CascadeContext,
  tx: Db,
  bookings: readonly store.BookingRow[],
  { how, reason }: { how: 'expire' | 'withdraw'; reason: string },
): Promise<void> {
  const now = context.clock.now();
  for (const booking of bookings.filter(isOpenAsk)) {
    const move =
      how === 'expire' ? 'expire' : booking.state === 'requesting' ? 'withdraw' : 'withdrawInvitation';
    await context.moves.moveBooking(tx, booking, {
      move,
      by: bySystem,
      set: { endedAt: now, reason },
      note: reason,
    });
  }
}

/**
 * Reopens a request whose driver let its passenger down, for a pick-up a while later, unless the passenger
 * has another order then.
 */
async function reopen(
  context: CascadeContext,
  tx: Db,
  request: store.RequestRow,
  bookings: readonly store.BookingRow[],
): Promise<Partial<store.RequestRow>> {
  const lost = lostBooking(bookings);
  if (lost === null) return {};
  const open = rescueWindow(request, lost.pickupAt, context.clock.now());
  const { id, passengerId, earliestAt } = request;
  return (await takeTime(tx, { id, personId: passengerId, from: earliestAt, to: open.arriveBy })) ? open : {};
}

async function settleRequest(context: CascadeContext, tx: Db, requestId: string): Promise<void> {
  let request = await store.lockRequest(tx, requestId);
  let bookings = await store.bookingsOf(tx, { requestIds: [requestId] });
  while (request !== null) {
    const move = nextRequestMove(request.state, bookings);
    if (move === null || move === 'publish') return;
    const ends = ['finish', 'miss', 'cancel', 'expire'].includes(move);
    const set = ends
      ? { endedAt: context.clock.now() }
      : move === 'rematch'
        ? await reopen(context, tx, request, bookings)
        : {};
    request = await context.moves.moveRequest(tx, request, { move, by: bySystem, set });
    if (move === 'rematch' && Object.keys(set).length === 0) await followRequest(tx, requestId);
    if ((move === 'join' || ends) && bookings.some(isOpenAsk)) {
      await closeAsks(context, tx, bookings, { how: 'withdraw', reason: '' });
      bookings = await store.bookingsOf(tx, { requestIds: [requestId] });
    }
    if (ends) await store.freeSpan(tx, requestId);
  }
}

async function settleRide(context: CascadeContext, tx: Db, rideId: string): Promise<void> {
  for (;;) {
    const found = await store.settlingRide(tx, rideId);
    if (found === null) return;
    const { ride, open, legs, isWaitedFor } = found;
    const states = open.map(({ state }) => state);
    if (ride.costCents > 0) {
      const agreed = open.filter(isAgreed).map(({ id }) => id);
      await context.payments.follow(tx, ride, agreed);
    }
    if ((ride.state === 'waiting' || ride.state === 'driver reached') && states.includes('joined')) {
      // A passenger who joins on the day waits at once, also when the driver is at the start already.
      for (const booking of open.filter(({ state }) => state === 'joined'))
        await context.moves.moveBooking(tx, booking, { move: 'gather', by: bySystem });
    }
    // The waitlist comes first.
    const offeredTo = isWaitedFor ? await context.offerSeat(tx, ride) : null;
    if (offeredTo !== null) {
      await settleRequest(context, tx, offeredTo);
      continue;
    }
    const move = nextRideMove({ ...ride, seatsTaken: legs }, states, context.clock.now());
    if (move === null || move === 'publish') return;
    await context.moves.moveRide(tx, ride, { move, by: bySystem });
    if (move === 'fill') {
      // Seats kept for unpaid bookings count as taken.
      const asks = open.filter(({ state }) => state === 'requesting' || state === 'inviting');
      await closeAsks(context, tx, asks, { how: 'expire', reason: 'full' });
      await settleRequests(context, tx, asks);
    }
  }
}

/** Settles the requests of those bookings that were open; the lock on the ride covers their requests. */
async function settleRequests(
  context: CascadeContext,
  tx: Db,
  bookings: readonly store.BookingRow[],
): Promise<void> {
  const open = bookings.filter(({ endedAt }) => endedAt === null);
  for (const requestId of [...new Set(open.map((booking) => booking.requestId))].toSorted())
    await settleRequest(context, tx, requestId);
}

/** After a booking has moved: settles its request, then its ride. */
async function settleBooking(context: CascadeContext, tx: Db, booking: store.BookingRow): Promise<void> {
  await settleRequest(context, tx, booking.requestId);
  await settleRide(context, tx, booking.rideId);
}

/**
 * Moves the departure of a ride with no passenger on its route to the next time at which it can still leave.
 * Called under the lock on the ride; false where it stays.
 */
async function followClock(context: CascadeContext, tx: Db, ride: store.RideRow): Promise<boolean> {
  const departsAt = ride.state === 'matching' ? nextDeparture(ride, context.clock.now()) : null;
  if (departsAt === null) return false;
  const plan = await context.matching.planOf(tx, ride);
  if (plan.stops.some(({ bookingId }) => bookingId !== null)) return false;
  await store.savePlan(tx, ride.id, { ...plan, departsMs: departsAt.getTime() });
  return true;
}

/** Removes an ended booking from the route; the agreed times of the others do not change. */
async function leaveRoute(
  context: CascadeContext,
  tx: Db,
  ride: store.RideRow,
  booking: store.BookingRow,
): Promise<void> {
  const plan = await context.matching.planOf(tx, ride);
  if (!plan.stops.some((stop) => stop.bookingId === booking.id)) return;
  // A ride may predate the regions loaded now: a missing road must not keep a passenger from leaving it.
  const without = withoutBooking(
    plan,
    booking.id,
    (from, to) => context.matching.travel(from, to) ?? estimateTravel(from, to),
  );
  await store.savePlan(tx, ride.id, without);
  await followPlan(tx, ride.id);
}
