import type { ExplainedRule } from '#contract/rides/views.ts';
import type { Drives } from './insertion.ts';
import type { Plan } from './plan.ts';
import { visitPositions, type Position } from './positions.ts';
import { suits, thingsAlong } from './preferences.ts';
import { withinOffer } from './price.ts';
import type { Wish } from './wish.ts';

/** A ride and a request between two people who may see each other. Instants are milliseconds since 1970. */
export interface Pair {
  plan: Plan;
  wish: Wish;
  drives: Drives;
  /** Per person; null leaves it open. */
  offerCents: number | null;
  /** The price of this many seats together. */
  fareCentsOf(seats: number): number;
}

/** A pair by every rule: what it has and what it needs. */
export interface Explanation {
  fits: boolean;
  rules: readonly ExplainedRule[];
}

/**
 * Rule by rule why a ride and a request fit or do not, at the position that breaks the fewest rules (of
 * those, the one with the least driving). They fit exactly when no rule is broken there.
 */
export function explain(pair: Pair): Explanation {
  let best = null as Best | null;
  visitPositions(pair.plan, pair.wish, pair.drives, (position) => {
    const rules = rulesAt(pair, position);
    const broken = rules.filter(({ ok }) => !ok).length;
    const { extraMs } = position;
    if (best === null || broken < best.broken || (broken === best.broken && extraMs < best.extraMs))
      best = { rules, broken, extraMs };
  });
  const rules = best?.rules ?? unreachable(pair);
  return { fits: rules.every(({ ok }) => ok), rules };
}

interface Best {
  rules: readonly ExplainedRule[];
  broken: number;
  extraMs: number;
}

/** Both may see each other's order: only such pairs are explained. */
const circle: ExplainedRule = { rule: 'circle', ok: true, have: 2, need: 2, unit: 'people' };

/** The times of a position for all on board. Instants are milliseconds since 1970. */
export interface Times {
  /** How late the passengers on board would be at the best departure; 0 where all are in time. */
  lateMs: number;
  /**
   * When the passenger is ready, picked up, and at their place; `isEarly` where the car cannot wait for them.
   */
  readyMs: number;
  isEarly: boolean;
  pickupMs: number;
  thereMs: number;
}

/** @param times is overwritten, to avoid allocation in loops. */
export function timesAt({ plan, wish }: Pair, position: Position, times: Times): Times {
  const { pickupOffsetMs, onBoardFromMs, onBoardToMs } = position;
  const { earliestDepartsMs, latestDepartsMs } = plan;
  times.lateMs = Math.max(
    0,
    onBoardFromMs - onBoardToMs,
    onBoardFromMs - latestDepartsMs,
    earliestDepartsMs - onBoardToMs,
  );
  // Where no departure suits those on board, the times use the driver's own limits.
  const isFree = times.lateMs > 0;
  const from = isFree ? earliestDepartsMs : Math.max(onBoardFromMs, earliestDepartsMs);
  const to = isFree ? latestDepartsMs : Math.min(onBoardToMs, latestDepartsMs);
  // The passenger walks to the pick-up first, and from the drop-off to their place.
  times.readyMs = wish.earliestMs + position.walkMs;
  times.isEarly = to + pickupOffsetMs < times.readyMs;
  times.pickupMs = times.isEarly ? to + pickupOffsetMs : Math.max(from + pickupOffsetMs, times.readyMs);
  times.thereMs =
    Math.max(from, times.readyMs - pickupOffsetMs) + position.dropoffOffsetMs + position.walkAfterMs;
  return times;
}

export const noTimes = (): Times => ({ lateMs: 0, readyMs: 0, isEarly: false, pickupMs: 0, thereMs: 0 });

export function rulesAt(pair: Pair, position: Position): readonly ExplainedRule[] {
  const { plan, wish } = pair;
  const { extraMs, freeSeats } = position;
  const { lateMs, readyMs, isEarly, pickupMs, thereMs } = timesAt(pair, position, noTimes());
  return [
    circle,
    preferencesRule(pair),
    { rule: 'seats', ok: freeSeats >= wish.seats, have: freeSeats, need: wish.seats, unit: 'seats' },
    priceRule(pair),
    {
      rule: 'detour',
      ok: extraMs <= plan.maxDetourMs,
      have: plan.maxDetourMs,
      need: extraMs,
      unit: 'milliseconds',
    },
    {
      rule: 'pickupWindow',
      ok: !isEarly && pickupMs <= wish.latestMs,
      have: pickupMs,
      need: isEarly ? readyMs : wish.latestMs,
      unit: 'instant',
    },
    {
      rule: 'dropoffWindow',
      ok: thereMs <= wish.arriveByMs,
      have: thereMs,
      need: wish.arriveByMs,
      unit: 'instant',
    },
    { rule: 'onBoard', ok: lateMs === 0, have: lateMs, need: 0, unit: 'milliseconds' },
  ];
}

function preferencesRule({ plan, wish }: Pair): ExplainedRule {
  const { welcome, all } = thingsAlong(plan.preferences, wish.preferences);
  return {
    rule: 'preferences',
    ok: suits(plan.preferences, wish.preferences),
    have: welcome,
    need: all,
    unit: 'things',
  };
}

function priceRule({ wish, offerCents, fareCentsOf }: Pair): ExplainedRule {
  const fareCents = fareCentsOf(wish.seats);
  return {
    rule: 'price',
    ok: withinOffer(fareCents, wish.seats, offerCents),
    have: offerCents,
    need: Math.ceil(fareCents / wish.seats),
    unit: 'cents',
  };
}

/** No road leads there: no detour is long enough. */
function unreachable(pair: Pair): readonly ExplainedRule[] {
  const { plan, wish } = pair;
  const freeSeats = plan.seats - Math.min(...plan.stops.map((stop) => stop.seatsTaken));
  return [
    circle,
    preferencesRule(pair),
    { rule: 'seats', ok: freeSeats >= wish.seats, have: freeSeats, need: wish.seats, unit: 'seats' },
    priceRule(pair),
    { rule: 'detour', ok: false, have: plan.maxDetourMs, need: null, unit: 'milliseconds' },
    { rule: 'pickupWindow', ok: false, have: null, need: wish.latestMs, unit: 'instant' },
    { rule: 'dropoffWindow', ok: false, have: null, need: wish.arriveByMs, unit: 'instant' },
    { rule: 'onBoard', ok: true, have: 0, need: 0, unit: 'milliseconds' },
  ];
}
