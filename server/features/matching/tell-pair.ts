import { roundedPoint } from '#contract/units.ts';
import type { App } from '../../app-type.ts';
import type { BookingRow, RequestRow } from './ports.ts';
import type { RoadTimes } from './road-times.ts';
import { bestInsertion, measured } from './rules/insertion.ts';
import { withoutBooking, type Plan } from './rules/plan.ts';
import { roundedPlan, roundedWish, wholeHundreds, wholeMinutes, withoutLimits } from './rules/rounding.ts';
import type { Spot, Wish } from './rules/wish.ts';
import * as store from './store.ts';

export type Side = 'driver' | 'passenger';

/**
 * The part of a pair that one person is shown before the two ride together: computed from the other's rounded
 * places, in whole minutes and hundreds of meters.
 */
export interface Told {
  /**
   * Where the passenger gets in and out: for the driver a meeting point near the passenger's rounded place,
   * `atDoor` where it is that place itself.
   */
  pickup: Spot & { atDoor: boolean };
  dropoff: Spot & { atDoor: boolean };
  pickupAfter: number;
  dropoffAfter: number;
  departsMs: number;
  pickupMs: number;
  dropoffMs: number;
  arrivesMs: number;
  detourMs: number;
  detourMetres: number;
  /** The passenger's door-to-door drive. */
  directMetres: number;
}

const toldAsAgreed = (booking: BookingRow, { pickup, dropoff }: { pickup: Spot; dropoff: Spot }): Told => ({
  pickup: { ...pickup, ...roundedPoint(pickup), atDoor: true },
  dropoff: { ...dropoff, ...roundedPoint(dropoff), atDoor: true },
  pickupAfter: 0,
  dropoffAfter: 0,
  departsMs: wholeMinutes(booking.pickupAt.getTime()),
  pickupMs: wholeMinutes(booking.pickupAt.getTime()),
  dropoffMs: wholeMinutes(booking.dropoffAt.getTime()),
  arrivesMs: wholeMinutes(booking.dropoffAt.getTime()),
  detourMs: wholeMinutes(booking.detourMs),
  detourMetres: wholeHundreds(booking.detourMetres),
  directMetres: 0,
});

/** A plan and a request as one of the two may know them before they ride together. */
export const asKnownTo = (
  roads: RoadTimes,
  viewer: Side,
  plan: Plan,
  wish: Wish,
): { plan: Plan; wish: Wish } =>
  viewer === 'driver'
    ? { plan, wish: roundedWish(wish, roads.spotsOfRounded) }
    : { plan: roundedPlan(plan, roads.betweenRounded), wish };

/**
 * The part of a pair that one person is shown.
 * @param wish the passenger's whole request.
 * @param spots those of it that were agreed, or found; a driver is shown meeting points near the rounded
 *   places instead.
 */
export function tellPair(
  app: App,
  viewer: Side,
  { plan, wish: whole }: { plan: Plan; wish: Wish },
  spots: { pickup: Spot; dropoff: Spot },
): Told {
  const { roads } = app.matching;
  const { travelOrGuess, betweenRounded } = roads;
  const ends = { from: whole.pickups[0]!, to: whole.dropoffs[0]! };
  const wish = viewer === 'driver' ? whole : { ...whole, pickups: [spots.pickup], dropoffs: [spots.dropoff] };
  const known = asKnownTo(roads, viewer, plan, wish);
  const free = withoutLimits(known.plan, known.wish);
  const drives = roads.drivesOrGuesses(known.plan, known.wish);
  // Exact places may fit where rounded ones just do not: then the figures are computed without the limits.
  const choice = bestInsertion(known.plan, known.wish, drives) ?? bestInsertion(free.plan, free.wish, drives);
  if (choice === null) throw new Error('a plan without limits takes no passenger');
  const { detourMetres } = measured(known.plan, known.wish, choice, travelOrGuess);
  const direct = viewer === 'driver' ? betweenRounded(ends.from, ends.to) : travelOrGuess(ends.from, ends.to);
  const spot = (of: readonly Spot[], index: number) => ({ ...of[index]!, atDoor: index === 0 });
  return {
    pickup: spot(known.wish.pickups, choice.pickupSpot),
    dropoff: spot(known.wish.dropoffs, choice.dropoffSpot),
    pickupAfter: choice.pickupAfter,
    dropoffAfter: choice.dropoffAfter,
    departsMs: wholeMinutes(choice.departsMs),
    pickupMs: wholeMinutes(choice.pickupMs),
    dropoffMs: wholeMinutes(choice.dropoffMs),
    arrivesMs: wholeMinutes(choice.arrivesMs),
    detourMs: Math.max(0, wholeMinutes(choice.detourMs)),
    detourMetres: Math.max(0, wholeHundreds(detourMetres)),
    directMetres: wholeHundreds(direct.metres),
  };
}

/** The part of a booking that was never joined that one side is shown, by the meeting points both know. */
export function tellBooking(
  app: App,
  viewer: Side,
  plan: Plan,
  { request, booking }: { request: RequestRow; booking: BookingRow },
): Told {
  const wish = store.wishOf(request);
  const spots = {
    pickup: store.agreedSpot(booking, 'pickup'),
    dropoff: store.agreedSpot(booking, 'dropoff'),
  };
  // An ended ride may have no route left.
  if (plan.stops.length < 2) return toldAsAgreed(booking, spots);
  const isKept = plan.stops.some(({ bookingId }) => bookingId === booking.id);
  const before = isKept ? withoutBooking(plan, booking.id, app.matching.roads.travelOrGuess) : plan;
  return tellPair(app, viewer, { plan: before, wish }, spots);
}
