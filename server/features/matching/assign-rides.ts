import type { App } from '../../app-type.ts';
import { assignEffort, type Assignment, type RidePlan } from './assignment/problem.ts';
import type { RequestRow, RideRow } from './ports.ts';
import { planFrom, wishFrom } from './rules/from-now.ts';
import { maskOf, suits } from './rules/preferences.ts';
import { shareCents, withinOffer } from './rules/price.ts';
import * as store from './store.ts';

/** A ride and a request assigned to each other. */
export interface AssignedPair {
  rideId: string;
  requestId: string;
}

/** The result of assigning some requests to some rides. */
export interface RideAssignment {
  assigned: (AssignedPair & { pickupAt: Date; dropoffAt: Date })[];
  /** Pairs of `kept` that may not or cannot ride together any more. */
  lost: AssignedPair[];
  /** Requests that no ride serves. */
  left: string[];
  rides: Map<string, RidePlan>;
}

/** The orders to assign, and the fixed and excluded pairs. */
export interface AssignmentTask {
  rides: readonly RideRow[];
  requests: readonly RequestRow[];
  /** Pairs that stay as they are. */
  kept: readonly AssignedPair[];
  /** Pairs that are not tried. */
  barred: readonly AssignedPair[];
  /** False only checks the fixed pairs, and adds none. */
  search: boolean;
}

/**
 * Assigns open requests to open rides: fewest unserved seats first, then the least driving, by all rules of a
 * fit. Audience, blocks, preferences and prices of each pair are checked as if it were the first of its ride.
 */
export async function assignRides(app: App, task: AssignmentTask): Promise<RideAssignment> {
  const { db, ports } = app;
  const { rides, requests } = task;
  const rideIds = rides.map(({ id }) => id);
  const [plans, joined, inSight] = await Promise.all([
    store.plansOf(db, ports.matching, rides),
    ports.matching.joinedSeats(db, rideIds),
    ports.matching.pairsInSight(
      db,
      rideIds,
      requests.map(({ id }) => id),
    ),
  ]);
  const numbering = numberOrders(task);
  const suited = inSight.filter((pair) => {
    const { ride, request } = numbering.rowsOf(pair);
    return suits(maskOf(ride), maskOf(request));
  });
  const isSuited = contains(suited);
  const isBarred = contains(task.barred);
  const isWithinOffer = (pair: AssignedPair): boolean => {
    const { ride, request } = numbering.rowsOf(pair);
    const fareCents = shareCents(ride, request.seats, joined.get(ride.id) ?? 0);
    return withinOffer(fareCents, request.seats, request.offerCents);
  };
  const allowed = suited.filter((pair) => !isBarred(pair) && isWithinOffer(pair));
  const nowMs = app.clock.now().getTime();
  const answer = await app.matching.assigner.assign({
    rides: rides.map(({ id }) => planFrom(plans.get(id)!, nowMs)),
    wishes: requests.map((request) => wishFrom(store.wishOf(request), nowMs)),
    allowed: task.search ? allowed.map(numbering.numbersOf) : [],
    kept: task.kept.filter(isSuited).map(numbering.numbersOf),
    seed: 1,
    budgetMs: assignEffort.budgetMs,
    patience: task.search ? assignEffort.patience : 0,
  });
  return assignmentOf(
    task,
    answer,
    task.kept.filter((pair) => !isSuited(pair)),
  );
}

/** The orders of a task by position, as the search numbers them. */
function numberOrders({ rides, requests }: AssignmentTask) {
  const rideAt = new Map(rides.map(({ id }, at) => [id, at]));
  const requestAt = new Map(requests.map(({ id }, at) => [id, at]));
  return {
    numbersOf: ({ rideId, requestId }: AssignedPair) => ({
      ride: rideAt.get(rideId)!,
      wish: requestAt.get(requestId)!,
    }),
    rowsOf: ({ rideId, requestId }: AssignedPair) => ({
      ride: rides[rideAt.get(rideId)!]!,
      request: requests[requestAt.get(requestId)!]!,
    }),
  };
}

function contains(pairs: readonly AssignedPair[]): (pair: AssignedPair) => boolean {
  const keyOf = ({ rideId, requestId }: AssignedPair) => `${rideId} ${requestId}`;
  const keys = new Set(pairs.map(keyOf));
  return (pair) => keys.has(keyOf(pair));
}

/** @param outOfSight fixed pairs whose owners may not see each other's orders any more. */
function assignmentOf(
  { rides, requests }: AssignmentTask,
  answer: Assignment,
  outOfSight: readonly AssignedPair[],
): RideAssignment {
  const pairOf = ({ ride, wish }: { ride: number; wish: number }): AssignedPair => ({
    rideId: rides[ride]!.id,
    requestId: requests[wish]!.id,
  });
  return {
    assigned: answer.assigned.map((each) => ({
      ...pairOf(each),
      pickupAt: new Date(each.pickupMs),
      dropoffAt: new Date(each.dropoffMs),
    })),
    lost: [...outOfSight, ...answer.lost.map(pairOf)],
    left: answer.left.map((wish) => requests[wish]!.id),
    rides: new Map(rides.map(({ id }, at) => [id, answer.rides[at]!])),
  };
}
