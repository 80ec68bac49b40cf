import { expect, test } from 'vitest';
import { freePermille } from '#roads/graph/traffic.ts';
import type { Drives } from './insertion.ts';
import { boardingMs, offsetsOf, planAlone, type Plan } from './plan.ts';
import { reroute, type Rider } from './rerouting.ts';
import { door, type Wish } from './wish.ts';

const minute = 60_000;
const start = 1_000 * minute;
const at = (east: number) => ({ lon: east, lat: 0 });
// One straight street: a degree of longitude is ten minutes and ten kilometres.
const travel = (from: { lon: number }, to: { lon: number }) => ({
  milliseconds: Math.round(Math.abs(to.lon - from.lon) * 10 * minute),
  metres: Math.round(Math.abs(to.lon - from.lon) * 10_000),
  estimated: false,
});
const roads = {
  travel,
  drivesOf({ stops }: Plan, { pickups, dropoffs }: Wish): Drives {
    const ms = (from: { lon: number }, to: { lon: number }) => travel(from, to).milliseconds;
    return {
      toPickup: (stop, spot) => ms(stops[stop]!, pickups[spot]!),
      fromPickup: (spot, stop) => ms(pickups[spot]!, stops[stop]!),
      toDropoff: (stop, spot) => ms(stops[stop]!, dropoffs[spot]!),
      fromDropoff: (spot, stop) => ms(dropoffs[spot]!, stops[stop]!),
      direct: (pickup, dropoff) => ms(pickups[pickup]!, dropoffs[dropoff]!),
    };
  },
};

function way(from: number, to: number, fields: { seats?: number; maxDetourMs?: number } = {}): Plan {
  return planAlone({
    from: at(from),
    to: at(to),
    drive: travel(at(from), at(to)),
    seats: 2,
    earliestDepartsMs: start,
    latestDepartsMs: start,
    trafficPermille: freePermille,
    maxDetourMs: 10 * minute,
    ...fields,
  });
}
const rider = (bookingId: string, from: number, to: number, fields: Partial<Wish> = {}): Rider => ({
  bookingId,
  wish: {
    seats: 1,
    pickups: [door(at(from))],
    dropoffs: [door(at(to))],
    walkMetres: 600,
    earliestMs: start,
    latestMs: start + 30 * minute,
    arriveByMs: start + 90 * minute,
    preferences: 0,
    ...fields,
  },
});
const routeOf = (found: ReturnType<typeof reroute>) =>
  'lost' in found ? found.lost : found.plan.stops.map(({ kind, bookingId }) => bookingId ?? kind);

test('all are taken along in the order of the street, whoever is put in first, and sit on their own legs', () => {
  const [ann, ben] = [rider('ann', 1, 2), rider('ben', 0.5, 1.5)];
  for (const riders of [
    [ann, ben],
    [ben, ann],
  ]) {
    const found = reroute(way(0, 3), riders, roads);
    expect(routeOf(found)).toEqual(['start', 'ben', 'ann', 'ben', 'ann', 'end']);
    if ('lost' in found) throw new Error('somebody is lost');
    expect(found.keepsWindows).toBe(true);
    expect(found.plan.stops.map(({ seatsTaken }) => seatsTaken)).toEqual([0, 1, 2, 1, 0, 0]);
    expect(offsetsOf(found.plan.stops).at(-1)).toBe(30 * minute + 4 * boardingMs);
  }
});

test('a way that starts farther off is later than a window allows: it is said, and nobody is lost', () => {
  const ann = rider('ann', 1, 2, { latestMs: start + 10 * minute });
  expect(reroute(way(0, 3), [ann], roads)).toMatchObject({ keepsWindows: true });
  const late = reroute(way(-1, 3), [ann], roads);
  expect(late).toMatchObject({ keepsWindows: false });
  expect(routeOf(late)).toEqual(['start', 'ann', 'ann', 'end']);
});

test('beyond the maximum detour those are lost who do not fit by themselves', () => {
  const [ann, far] = [rider('ann', 1, 2), rider('far', 1, 5)];
  expect(routeOf(reroute(way(0, 3), [ann, far], roads))).toEqual(['far']);
  expect(routeOf(reroute(way(3, 0), [ann, rider('ben', 2, 1)], roads))).toEqual(['ann']);
});

test('where each fits alone and the two do not together, both are named', () => {
  const riders = [rider('ann', 1, 2), rider('ben', 1, 2)];
  expect(routeOf(reroute(way(0, 3, { seats: 1 }), riders, roads))).toEqual(['ann', 'ben']);
  expect(routeOf(reroute(way(0, 3, { maxDetourMs: 3 * minute }), riders, roads))).toEqual(['ann', 'ben']);
  // One seat still serves two in turn.
  expect(routeOf(reroute(way(0, 3, { seats: 1 }), [rider('ann', 1, 2), rider('ben', 2, 3)], roads))).toEqual([
    'start',
    'ann',
    'ann',
    'ben',
    'ben',
    'end',
  ]);
});

test('six people are taken along too', () => {
  const six = Array.from({ length: 6 }, (_, index) => rider(`p${index}`, 0.2 * index, 3));
  const found = reroute(way(0, 3, { seats: 6, maxDetourMs: 20 * minute }), six, roads);
  expect(routeOf(found)).toHaveLength(14);
});
