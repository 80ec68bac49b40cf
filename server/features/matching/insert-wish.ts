import { measured, bestInsertion, type Insertion } from './rules/insertion.ts';
import type { Plan } from './rules/plan.ts';
import { door, type Spot, type Wish } from './rules/wish.ts';
import type { RoadTimes } from './road-times.ts';

/** The best insertion of a request in a plan with its meters, or null. */
export function insertWish(
  roads: RoadTimes,
  plan: Plan,
  wish: Wish,
  drives = roads.drivesOf(plan, wish),
): Insertion | null {
  const choice = bestInsertion(plan, wish, drives);
  return choice === null ? null : measured(plan, wish, choice, roads.foundTravel);
}

/** The fit of one pair of meeting points in a plan, or null where it does not fit (any more). */
export function insertAt(
  roads: RoadTimes,
  plan: Plan,
  wish: Wish,
  { pickupSpot, dropoffSpot }: { pickupSpot: number; dropoffSpot: number },
): Insertion | null {
  const only = {
    ...wish,
    pickups: wish.pickups.slice(pickupSpot, pickupSpot + 1),
    dropoffs: wish.dropoffs.slice(dropoffSpot, dropoffSpot + 1),
  };
  if (only.pickups.length === 0 || only.dropoffs.length === 0) return null;
  const insertion = insertWish(roads, plan, only);
  return insertion === null ? null : withSteps(roads, { ...insertion, pickupSpot, dropoffSpot });
}

/** An insertion with its meeting points as they are shown to people. */
export const withSteps = (roads: RoadTimes, insertion: Insertion): Insertion => ({
  ...insertion,
  pickup: spotWithSteps(roads, insertion.pickup, insertion.pickupSpot),
  dropoff: spotWithSteps(roads, insertion.dropoff, insertion.dropoffSpot),
});

/** At the door, adds the steps to the road and its street; they cost no time. */
function spotWithSteps(roads: RoadTimes, spot: Spot, index: number): Spot {
  const point = index === 0 ? roads.pointAt(spot) : null;
  return point === null ? spot : { ...door(spot, point.metresFromRoad), name: point.streetName ?? '' };
}
