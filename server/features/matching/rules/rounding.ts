import type { ExplainedRule } from '#contract/rides/views.ts';
import { roundedPoint } from '#contract/units.ts';
import { greatCircleMetres, type LonLat } from '#roads/graph/geometry.ts';
import type { Travel } from '#roads/graph/network.ts';
import { inTraffic } from '#roads/graph/traffic.ts';
import type { Plan, PlanStop } from './plan.ts';
import type { Spot, Wish } from './wish.ts';

// Figures shown to people who do not ride together (decision 0037): computed from rounded places, then
// rounded themselves.

const minuteMs = 60_000;
const metresStep = 100;
/**
 * Where no road joins two rounded points: the straight-line distance times this detour factor, at city speed.
 */
const roadsAreLonger = 1.3;
const metresPerSecond = 12;

/** An instant or a length of time in whole minutes. */
export const wholeMinutes = (milliseconds: number): number => Math.round(milliseconds / minuteMs) * minuteMs;
/** Whole hundreds of meters. */
export const wholeHundreds = (metres: number): number => Math.round(metres / metresStep) * metresStep;

/** A rule of a fit with its times in whole minutes. */
export const inWholeMinutes = (rule: ExplainedRule): ExplainedRule =>
  rule.unit === 'milliseconds' || rule.unit === 'instant'
    ? {
        ...rule,
        have: rule.have === null ? null : wholeMinutes(rule.have),
        need: rule.need === null ? null : wholeMinutes(rule.need),
      }
    : rule;

export type TravelBetween = (from: LonLat, to: LonLat) => Travel;

/** An estimated drive where no road joins two points. */
export function guessedTravel(from: LonLat, to: LonLat): Travel {
  const metres = Math.round(greatCircleMetres(from, to) * roadsAreLonger);
  return { metres, milliseconds: Math.round((metres / metresPerSecond) * 1000), estimated: true };
}

/** The drive between the rounded points of two places. */
export const roundedTravel =
  (travel: (from: LonLat, to: LonLat) => Travel | null): TravelBetween =>
  (from, to) => {
    const [a, b] = [roundedPoint(from), roundedPoint(to)];
    return travel(a, b) ?? guessedTravel(a, b);
  };

/**
 * A ride's plan with every stop on its rounded point, and every drive between those.
 * @param travel the free drive between two points.
 */
export function roundedPlan(plan: Plan, travel: TravelBetween): Plan {
  const stops = plan.stops.map((stop, position): PlanStop => {
    const next = plan.stops[position + 1];
    const drive = next === undefined ? null : travel(stop, next);
    return {
      ...stop,
      ...roundedPoint(stop),
      toNextMs: inTraffic(drive?.milliseconds ?? 0, plan.trafficPermille),
      toNextMetres: drive?.metres ?? 0,
    };
  });
  return { ...plan, stops, aloneMs: aloneMs(plan, travel) };
}

/** The drive of the driver alone, stops of their own included, between rounded points. */
function aloneMs({ stops, trafficPermille }: Plan, travel: TravelBetween): number {
  const own = stops.filter(
    ({ bookingId, kind }) => bookingId === null && kind !== 'pickup' && kind !== 'dropoff',
  );
  return own.reduce((sum, stop, position) => {
    const next = own[position + 1];
    if (next === undefined) return sum;
    return sum + stop.standsMs + inTraffic(travel(stop, next).milliseconds, trafficPermille);
  }, 0);
}

/**
 * A request with its doors on their rounded points, and those points' meeting points: its own were found from
 * the door and would reveal it.
 * @param spotsNear meeting points near a place for a passenger who walks this far.
 */
export function roundedWish(
  wish: Wish,
  spotsNear: (at: LonLat, walkMetres: number) => readonly Spot[],
): Wish {
  const ends = ([own, ...spots]: readonly Spot[]): Spot[] => {
    const at = { ...own!, ...roundedPoint(own!) };
    return spots.length === 0 ? [at] : [at, ...spotsNear(at, wish.walkMetres)];
  };
  return { ...wish, pickups: ends(wish.pickups), dropoffs: ends(wish.dropoffs) };
}

/** A plan and a request without windows and limits: only places and drive times remain. */
export function withoutLimits(plan: Plan, wish: Wish): { plan: Plan; wish: Wish } {
  const anyTime = { earliestMs: -Infinity, latestMs: Infinity };
  return {
    plan: {
      ...plan,
      seats: Number.MAX_SAFE_INTEGER,
      stops: plan.stops.map((stop) => ({ ...stop, ...anyTime })),
      maxDetourMs: Number.MAX_SAFE_INTEGER,
    },
    wish: { ...wish, walkMetres: Number.MAX_SAFE_INTEGER, ...anyTime, arriveByMs: Infinity },
  };
}
