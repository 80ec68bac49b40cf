import { maxDetourMinutes, maxFlexMinutes } from '#contract/rides/endpoints.ts';
import type { Change, ExplainedRule } from '#contract/rides/views.ts';
import { walkingMetresPerMinute } from '#contract/units.ts';
import { explain, noTimes, timesAt, type Pair } from './explain.ts';
import { bestInsertion } from './insertion.ts';
import { visitPositions, type Position } from './positions.ts';
import { suits } from './preferences.ts';
import { withinOffer } from './price.ts';
import type { Spot } from './wish.ts';

const minuteMs = 60_000;

/** How far a departure may move in a near miss. */
export const nearMs = 60 * minuteMs;

/** How much longer than allowed a detour may be in a near miss. */
export const nearDetourMs = 15 * minuteMs;

/** The effort of a change for the person who makes it, in equivalent minutes; the smallest comes first. */
const weights = { leaveMinute: 1, detourMinute: 1.5, walkMinute: 1.2, dollar: 4, seat: 30 };

export type Side = 'driver' | 'passenger';

/** The one rule that a pair fails, and the smallest change that makes it fit. */
export interface NearMiss {
  rule: Exclude<ExplainedRule['rule'], 'circle' | 'preferences'>;
  change: Change;
  /** The person who would have to change. */
  changer: Side;
  /** The effort of the change, in equivalent minutes. */
  effort: number;
}

/**
 * The smallest change that makes a pair fit which fails exactly one rule, or null: because it fits, because
 * it fails two rules, or because no such change is enough. Too late a pick-up often means too late a
 * drop-off; moving the departure mends both, so they count as one rule here, named after the first that
 * fails. Passengers on board are never asked to change, and no one is asked to leave a pet at home or to want
 * other company.
 * @param looker the viewer; they are the one to move their departure where that is enough, otherwise the
 *   other.
 */
export function nearMissOf(pair: Pair, looker: Side, nowMs: number): NearMiss | null {
  if (!suits(pair.plan.preferences, pair.wish.preferences)) return null;
  const other = looker === 'driver' ? 'passenger' : 'driver';
  const miss = smallestMiss({ pair, leaver: looker, nowMs }) ?? smallestMiss({ pair, leaver: other, nowMs });
  const walk = walkMiss(pair);
  return miss === null || (walk !== null && walk.effort < miss.effort) ? walk : miss;
}

/**
 * How much farther the passenger would have to walk, where meeting points beyond their limit are known and
 * enough.
 */
function walkMiss(pair: Pair): NearMiss | null {
  const { plan, wish, drives } = pair;
  if (!withinOffer(pair.fareCentsOf(wish.seats), wish.seats, pair.offerCents)) return null;
  const beyond = ({ walkMetres }: Spot) => Math.max(0, walkMetres - wish.walkMetres);
  const limits = [...wish.pickups.slice(1), ...wish.dropoffs.slice(1)]
    .map(beyond)
    .filter((metres) => metres > 0)
    .toSorted((a, b) => a - b);
  // A pair that fits is no miss: there the smallest step would be enough too.
  const metres = limits.find(
    (more) => bestInsertion(plan, { ...wish, walkMetres: wish.walkMetres + more }, drives) !== null,
  );
  if (metres === undefined || bestInsertion(plan, wish, drives) !== null) return null;
  const broken = explain(pair).rules.find(({ ok }) => !ok);
  if (broken === undefined || broken.rule === 'circle' || broken.rule === 'preferences') return null;
  return {
    rule: broken.rule,
    change: { kind: 'walkMore', metres },
    changer: 'passenger',
    effort: (metres / walkingMetresPerMinute) * weights.walkMinute,
  };
}

/** A pair that fails a rule, and the side that would move their departure. */
interface Mending {
  pair: Pair;
  leaver: Side;
  nowMs: number;
}

function smallestMiss(mending: Mending): NearMiss | null {
  const { pair, leaver } = mending;
  const { plan, wish, offerCents, fareCentsOf } = pair;
  const isTooDear = !withinOffer(fareCentsOf(wish.seats), wish.seats, offerCents);
  const times = noTimes();
  let best = null as NearMiss | null;
  let fits = false;
  visitPositions(plan, wish, pair.drives, (position) => {
    timesAt(pair, position, times);
    const isLate = times.lateMs > 0;
    const missesPickup = times.isEarly || times.pickupMs > wish.latestMs;
    const missesDropoff = times.thereMs > wish.arriveByMs;
    // A driver who leaves at another time can also keep the times of those on board, where one departure
    // suits them all.
    const isTime = isLate && leaver === 'driver' && position.onBoardFromMs <= position.onBoardToMs;
    const seats = position.freeSeats < wish.seats;
    const detour = position.extraMs > plan.maxDetourMs;
    const time = missesPickup || missesDropoff || isTime;
    const onBoard = isLate && !isTime;
    const kinds = Number(seats) + Number(isTooDear) + Number(detour) + Number(time) + Number(onBoard);
    fits ||= kinds === 0;
    if (kinds !== 1) return fits;
    const rule = seats
      ? 'seats'
      : isTooDear
        ? 'price'
        : detour
          ? 'detour'
          : missesPickup
            ? 'pickupWindow'
            : missesDropoff
              ? 'dropoffWindow'
              : 'onBoard';
    const miss = missAt(mending, position, rule);
    if (miss !== null && (best === null || miss.effort < best.effort)) best = miss;
    return false;
  });
  return fits ? null : best;
}

/**
 * The smallest change by which a position keeps the one rule that it fails; null where none is small enough.
 */
function missAt(
  { pair, leaver, nowMs }: Mending,
  position: Position,
  rule: NearMiss['rule'],
): NearMiss | null {
  const { plan, wish, offerCents, fareCentsOf } = pair;
  switch (rule) {
    case 'seats': {
      const seats = position.freeSeats;
      // With fewer seats a price per car is shared by fewer, and may be above the offer.
      if (seats < 1 || !withinOffer(fareCentsOf(seats), seats, offerCents)) return null;
      const fewer = wish.seats - seats;
      return {
        rule,
        change: { kind: 'fewerSeats', seats: fewer },
        changer: 'passenger',
        effort: fewer * weights.seat,
      };
    }
    case 'price': {
      const cents = Math.ceil(fareCentsOf(wish.seats) / wish.seats) - (offerCents ?? 0);
      return {
        rule,
        change: { kind: 'offerMore', cents },
        changer: 'passenger',
        effort: (cents / 100) * weights.dollar,
      };
    }
    case 'detour': {
      if (position.extraMs > maxDetourMinutes * minuteMs) return null;
      const minutes = Math.ceil((position.extraMs - plan.maxDetourMs) / minuteMs);
      return {
        rule,
        change: { kind: 'moreDetour', minutes },
        changer: 'driver',
        effort: minutes * weights.detourMinute,
      };
    }
    case 'pickupWindow':
    case 'dropoffWindow':
    case 'onBoard': {
      const shift =
        leaver === 'driver' ? rideShift(pair, position, nowMs) : windowShift(pair, position, nowMs);
      if (shift === null) return null;
      const minutes = Math.abs(shift);
      const kind = shift > 0 ? ('leaveLater' as const) : ('leaveEarlier' as const);
      return { rule, change: { kind, minutes }, changer: leaver, effort: minutes * weights.leaveMinute };
    }
  }
}

/**
 * By how many minutes the passenger's whole window would have to move, or null where no whole minute is
 * enough.
 */
function windowShift({ plan, wish }: Pair, position: Position, nowMs: number): number | null {
  const { pickupOffsetMs, dropoffOffsetMs, onBoardFromMs, onBoardToMs } = position;
  const readyMs = wish.earliestMs + position.walkMs;
  const leavesCarByMs = wish.arriveByMs - position.walkAfterMs;
  const first = Math.max(onBoardFromMs, plan.earliestDepartsMs);
  const last = Math.min(onBoardToMs, plan.latestDepartsMs);
  if (first > last) return null;
  // The ride takes longer than the window allows at any time.
  if (readyMs - pickupOffsetMs > leavesCarByMs - dropoffOffsetMs || readyMs > wish.latestMs) return null;
  const atLeast = Math.max(first + pickupOffsetMs - wish.latestMs, first + dropoffOffsetMs - leavesCarByMs);
  const atMost = last + pickupOffsetMs - readyMs;
  const shift = wholeMinutes(atLeast > 0 ? atLeast : atMost);
  const shiftMs = shift * minuteMs;
  if (Math.abs(shiftMs) > nearMs || shiftMs < atLeast || shiftMs > atMost) return null;
  return shiftMs < 0 && wish.earliestMs + shiftMs < nowMs ? null : shift;
}

/** By how many minutes the driver would have to leave later (positive) or earlier, or null. */
function rideShift({ plan, wish }: Pair, position: Position, nowMs: number): number | null {
  const { pickupOffsetMs, dropoffOffsetMs, onBoardFromMs, onBoardToMs } = position;
  const first = Math.max(onBoardFromMs, wish.earliestMs + position.walkMs - pickupOffsetMs);
  const last = Math.min(
    onBoardToMs,
    wish.latestMs - pickupOffsetMs,
    wish.arriveByMs - position.walkAfterMs - dropoffOffsetMs,
  );
  if (first > last) return null;
  const shift = wholeMinutes(
    first > plan.latestDepartsMs ? first - plan.latestDepartsMs : last - plan.earliestDepartsMs,
  );
  const shiftMs = Math.abs(shift) * minuteMs;
  if (shiftMs > nearMs) return null;
  if (plan.latestDepartsMs - plan.earliestDepartsMs + shiftMs > maxFlexMinutes * minuteMs) return null;
  return shift < 0 && plan.earliestDepartsMs - shiftMs < nowMs ? null : shift;
}

/** Whole minutes away from zero. */
const wholeMinutes = (milliseconds: number): number =>
  Math.sign(milliseconds) * Math.ceil(Math.abs(milliseconds) / minuteMs);

/** The pair as it would be after a change. */
export function withChange(pair: Pair, { change, changer }: Pick<NearMiss, 'change' | 'changer'>): Pair {
  const { plan, wish, offerCents } = pair;
  switch (change.kind) {
    case 'fewerSeats':
      return { ...pair, wish: { ...wish, seats: wish.seats - change.seats } };
    case 'offerMore':
      return { ...pair, offerCents: offerCents === null ? null : offerCents + change.cents };
    case 'walkMore':
      return { ...pair, wish: { ...wish, walkMetres: wish.walkMetres + change.metres } };
    case 'moreDetour':
      return { ...pair, plan: { ...plan, maxDetourMs: plan.maxDetourMs + change.minutes * minuteMs } };
    case 'leaveLater':
    case 'leaveEarlier': {
      const shiftMs = (change.kind === 'leaveLater' ? 1 : -1) * change.minutes * minuteMs;
      if (changer === 'passenger')
        return {
          ...pair,
          wish: {
            ...wish,
            earliestMs: wish.earliestMs + shiftMs,
            latestMs: wish.latestMs + shiftMs,
            arriveByMs: wish.arriveByMs + shiftMs,
          },
        };
      return {
        ...pair,
        plan: {
          ...plan,
          earliestDepartsMs: plan.earliestDepartsMs + Math.min(0, shiftMs),
          latestDepartsMs: plan.latestDepartsMs + Math.max(0, shiftMs),
        },
      };
    }
  }
}
