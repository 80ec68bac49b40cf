import type { LonLat } from '../../roads/graph/geometry.ts';
import type { Travel } from '../../roads/graph/network.ts';
import { freePermille } from '../../roads/graph/traffic.ts';
import { hourMs, minuteMs } from '../../server/platform/clock.ts';
import type { RideEntry } from '../../server/features/matching/engine/entries.ts';
import { arriveByMs, defaultMaxDetourMs } from '../../server/features/matching/rules/detour.ts';
import { planAlone } from '../../server/features/matching/rules/plan.ts';
import { door, type Wish } from '../../server/features/matching/rules/wish.ts';
import type { Roads } from '../region-roads.ts';
import type { Town } from './town.ts';

/** One way of a commuter's day. */
export interface Trip {
  /** The person: the same number on the way there and back. */
  person: number;
  from: LonLat;
  to: LonLat;
  drive: Travel;
  /** When they would leave if it were for them alone, in milliseconds since 1970. */
  leavesMs: number;
}

export const midnightMs = Date.UTC(2027, 0, 12);
const morning = { middleMs: 7.83 * hourMs, spreadMs: 40 * minuteMs };
const evening = { middleMs: 17.17 * hourMs, spreadMs: 50 * minuteMs };
/** People with a shorter drive walk, cycle, or do not bother to share. */
const shortestDriveMs = 5 * minuteMs;

const flexMs = 10 * minuteMs;
export const seatsOffered = 3;
const waitsMs = { before: 10 * minuteMs, after: 20 * minuteMs };
export const walkMetres = 600;

/** Draws commuters: each leaves home for work in the morning and goes back in the evening. */
export function drawTrips(town: Town, roads: Roads, people: number, random: () => number): Trip[] {
  const place = (draw: (random: () => number) => LonLat): LonLat => {
    for (;;) {
      const point = roads.network.snap(draw(random));
      if (point !== null && !point.estimated) return { lon: point.lon, lat: point.lat };
    }
  };
  const trips: Trip[] = [];
  for (let person = 0; person < people; person++) {
    for (;;) {
      const [home, work] = [place(town.home), place(town.work)];
      const [there, back] = [roads.travel(home, work), roads.travel(work, home)];
      if (Math.min(there.milliseconds, back.milliseconds) < shortestDriveMs) continue;
      const leaves = ({ middleMs, spreadMs }: typeof morning) =>
        midnightMs + Math.round(middleMs + spreadMs * bell(random));
      trips.push({ person, from: home, to: work, drive: there, leavesMs: leaves(morning) });
      trips.push({ person, from: work, to: home, drive: back, leavesMs: leaves(evening) });
      break;
    }
  }
  return trips;
}

/** A standard normal figure (G. Box, M. Muller, 1958). */
function bell(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}

/**
 * A driver's trip as a ride that no passenger has joined: three seats, ten minutes either way, the default
 * detour.
 */
export function rideOf(trip: Trip, index: number): RideEntry {
  return {
    id: idOf(index),
    driverId: `driver ${trip.person}`,
    isPublic: true,
    priceKind: 'perPerson',
    costCents: 0,
    joinedSeats: 0,
    plan: {
      ...planAlone({
        from: trip.from,
        to: trip.to,
        drive: trip.drive,
        seats: seatsOffered,
        earliestDepartsMs: trip.leavesMs - flexMs,
        latestDepartsMs: trip.leavesMs + flexMs,
        trafficPermille: freePermille,
        maxDetourMs: defaultMaxDetourMs(trip.drive.milliseconds),
      }),
      departsMs: trip.leavesMs,
    },
  };
}

/** A passenger's trip as a request to be fetched at the door within half an hour. */
export function wishOf({ from, to, drive, leavesMs }: Trip): Wish {
  const latestMs = leavesMs + waitsMs.after;
  return {
    seats: 1,
    pickups: [door(from)],
    dropoffs: [door(to)],
    walkMetres,
    earliestMs: leavesMs - waitsMs.before,
    latestMs,
    arriveByMs: arriveByMs(latestMs, drive.milliseconds),
    preferences: 0,
  };
}

/** The index wants UUIDs. */
const idOf = (index: number): string => `00000000-0000-4000-8000-${index.toString(16).padStart(12, '0')}`;

/** The list in an order drawn by chance (R. Fisher, F. Yates; D. Knuth's algorithm P). */
export function shuffled<T>(list: readonly T[], random: () => number): T[] {
  const drawn = [...list];
  for (let i = drawn.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    [drawn[i], drawn[j]] = [drawn[j]!, drawn[i]!];
  }
  return drawn;
}
