import type { RideEntry } from '../../server/features/matching/engine/entries.ts';
import { walkMsOf } from '../../server/features/matching/rules/wish.ts';
import type { Roads } from '../region-roads.ts';
import type { Booking } from './game.ts';

const boardingMs = 60_000;

/**
 * Drives a finished ride stop by stop with road times that are read again, and checks each agreement.
 * @returns the number of bookings that are honored: all of them, or none where the driver's own limits are
 *   broken.
 */
export function keptBookings(
  { plan }: RideEntry,
  bookings: readonly Pick<Booking, 'wanted'>[],
  roads: Roads,
): number {
  const times = new Map<string, { pickup: number; dropoff: number }>();
  let [clockMs, onBoard] = [plan.departsMs, 0];
  for (const [index, stop] of plan.stops.entries()) {
    if (index > 0) clockMs += roads.travel(plan.stops[index - 1]!, stop).milliseconds;
    if (stop.bookingId === null) continue;
    const known = times.get(stop.bookingId) ?? { pickup: NaN, dropoff: NaN };
    times.set(stop.bookingId, { ...known, [stop.kind]: clockMs });
    onBoard += stop.kind === 'pickup' ? 1 : -1;
    if (onBoard > plan.seats) return 0;
    clockMs += boardingMs;
  }
  const alone = roads.travel(plan.stops[0]!, plan.stops.at(-1)!).milliseconds;
  const extraMs = clockMs - plan.departsMs - alone;
  const leavesInTime = plan.departsMs >= plan.earliestDepartsMs && plan.departsMs <= plan.latestDepartsMs;
  if (extraMs > plan.maxDetourMs || !leavesInTime) return 0;
  return bookings.filter(({ wanted: { id, atDoor, walking } }) => {
    const { pickup, dropoff } = times.get(id) ?? { pickup: NaN, dropoff: NaN };
    const walkMs = (kind: 'pickup' | 'dropoff') => {
      const stop = plan.stops.find((each) => each.bookingId === id && each.kind === kind)!;
      const spots = kind === 'pickup' ? walking.pickups : walking.dropoffs;
      const [atTheDoor, ...others] = spots;
      if (stop.lon === atTheDoor!.lon && stop.lat === atTheDoor!.lat) return 0;
      const spot = others.find(({ lon, lat }) => lon === stop.lon && lat === stop.lat);
      return spot === undefined ? NaN : walkMsOf(spot.walkMetres);
    };
    return (
      pickup >= atDoor.earliestMs + walkMs('pickup') &&
      pickup <= atDoor.latestMs &&
      dropoff > pickup &&
      dropoff + walkMs('dropoff') <= atDoor.arriveByMs
    );
  }).length;
}
