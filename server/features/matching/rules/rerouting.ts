import type { Travel } from '#roads/graph/network.ts';
import { bestInsertion, measured, withBooking, type Drives, type Insertion } from './insertion.ts';
import { offsetsOf, type Plan } from './plan.ts';
import type { Wish } from './wish.ts';

/** A passenger with the one place each where they get in and out. */
export interface Rider {
  bookingId: string;
  wish: Wish;
}

/** Another route that serves all on board, or those it cannot serve. */
export type Rerouted =
  | { plan: Plan; insertions: ReadonlyMap<string, Insertion>; keepsWindows: boolean }
  | { lost: readonly string[] };

interface Roads {
  drivesOf(plan: Plan, wish: Wish): Drives;
  travel(from: { lon: number; lat: number }, to: { lon: number; lat: number }): Travel;
}

/** Above this number of passengers, not all insertion orders are tried. */
const mostInEveryOrder = 4;

/**
 * Inserts passengers into an empty route: each by the best insertion, in the order that costs the driver
 * least. Their windows hold where any order keeps all of them, else they are ignored. The seats and the
 * driver's maximum detour always hold: where no order keeps both, those who do not fit by themselves are
 * lost, or all.
 */
export function reroute(alone: Plan, riders: readonly Rider[], roads: Roads): Rerouted {
  const kept = leastDriven(alone, riders, roads);
  if (kept !== null) return { ...kept, keepsWindows: true };
  const patient = riders.map(({ bookingId, wish }) => ({ bookingId, wish: { ...wish, ...anyTime } }));
  const late = leastDriven(alone, patient, roads);
  if (late !== null) return { ...late, keepsWindows: false };
  const lost = patient.filter((rider) => inOrder(alone, [rider], roads) === null);
  return { lost: (lost.length > 0 ? lost : patient).map(({ bookingId }) => bookingId) };
}

const anyTime = { earliestMs: -Infinity, latestMs: Infinity, arriveByMs: Infinity };

interface Found {
  plan: Plan;
  insertions: ReadonlyMap<string, Insertion>;
}

function leastDriven(alone: Plan, riders: readonly Rider[], roads: Roads): Found | null {
  let best: Found | null = null;
  let leastMs = Infinity;
  for (const order of ordersOf(riders)) {
    const found = inOrder(alone, order, roads);
    if (found === null) continue;
    const ms = offsetsOf(found.plan.stops).at(-1)!;
    if (ms < leastMs) [best, leastMs] = [found, ms];
  }
  return best;
}

function inOrder(alone: Plan, riders: readonly Rider[], roads: Roads): Found | null {
  let plan = alone;
  const insertions = new Map<string, Insertion>();
  for (const { bookingId, wish } of riders) {
    const choice = bestInsertion(plan, wish, roads.drivesOf(plan, wish));
    if (choice === null) return null;
    const insertion = measured(plan, wish, choice, roads.travel);
    insertions.set(bookingId, insertion);
    plan = withBooking(plan, wish, insertion, bookingId);
  }
  return { plan, insertions };
}

function ordersOf(riders: readonly Rider[]): (readonly Rider[])[] {
  if (riders.length > mostInEveryOrder) return [riders, riders.toReversed()];
  if (riders.length <= 1) return [riders];
  return riders.flatMap((first, index) =>
    ordersOf(riders.toSpliced(index, 1)).map((rest) => [first, ...rest]),
  );
}
