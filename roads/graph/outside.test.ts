import * as fc from 'fast-check';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createEstimateNetwork } from './estimate.ts';
import { greatCircleMetres, type LonLat } from './geometry.ts';
import { loadRoadNetwork } from './load.ts';
import type { RoadNetwork, RoadPoint } from './network.ts';
import { OUTSIDE_LIMIT_METRES, outsideMilliseconds } from './outside.ts';

const DOWNTOWN = { lon: -122.0263, lat: 36.9741 };
const SAN_JOSE_AIRPORT = { lon: -121.929, lat: 37.3639 };
const SAN_FRANCISCO_AIRPORT = { lon: -122.379, lat: 37.6213 };
const LOS_ANGELES_AIRPORT = { lon: -118.4085, lat: 33.9416 };

const minutes = (travel: { milliseconds: number } | null) => travel!.milliseconds / 60_000;

test('a longer drive never takes less, and two drives never less than one of both lengths', () => {
  const length = fc.double({ min: 0, max: 800_000, noNaN: true });
  fc.assert(
    fc.property(length, length, (a, b) => {
      const roundings = 2;
      expect(outsideMilliseconds(a + b)).toBeLessThanOrEqual(
        outsideMilliseconds(a) + outsideMilliseconds(b) + roundings,
      );
      expect(outsideMilliseconds(a + b)).toBeGreaterThanOrEqual(outsideMilliseconds(a));
    }),
  );
});

test('a mile in town at 25 mph', () => {
  expect(outsideMilliseconds(1609.344)).toBe((3600 / 25) * 1000);
});

/** Points that a car can reach, in the region and some degrees around it. */
function pointsAround(
  network: RoadNetwork,
  { degreesSouth, degreesElsewhere: more }: { degreesSouth: number; degreesElsewhere: number },
): fc.Arbitrary<RoadPoint> {
  const [west, south, east, north] = network.bounds;
  return fc
    .record({
      lon: fc.double({ min: west - more, max: east + more, noNaN: true }),
      lat: fc.double({ min: south - degreesSouth, max: north + more, noNaN: true }),
    })
    .map((at) => network.snap(at))
    .filter((point) => point !== null);
}

function expectFacesAgree(network: RoadNetwork, a: RoadPoint, ends: readonly RoadPoint[]): void {
  const from = network.travelFrom(a);
  const to = network.travelTo(a);
  const [row] = network.manyToMany([a], ends);
  const many = network.oneToMany(a, ends);
  const label = network.label(a, 'from');
  for (const [i, b] of ends.entries()) {
    const there = network.travel(a, b)!;
    const { line, streets: _, ...routed } = network.route(a, b)!;
    expect(from(b)).toEqual(there);
    expect(row![i]).toEqual(there);
    expect(many[i]).toEqual(there);
    expect(network.meet(label, network.label(b, 'to'))).toEqual(there);
    expect(routed).toEqual(there);
    expect(to(b)).toEqual(network.travel(b, a));
    expect(there.estimated).toBe(a.estimated || b.estimated);
    expect(line[0]).toEqual([a.lon, a.lat]);
    expect(line.at(-1)).toEqual([b.lon, b.lat]);
  }
  expect(network.travel(a, a)).toMatchObject({ milliseconds: 0, metres: 0 });
}

describe('beyond Santa Cruz', () => {
  let network: RoadNetwork;
  let cacheFolder: string;
  const snap = (at: LonLat): RoadPoint => network.snap(at)!;

  beforeAll(async () => {
    cacheFolder = await mkdtemp(join(tmpdir(), 'roads-'));
    network = await loadRoadNetwork({
      pbfFile: 'regions/santa-cruz/roads.osm.pbf',
      landFile: 'regions/santa-cruz/land.geojson',
      cacheFolder,
    });
  });
  afterAll(() => rm(cacheFolder, { recursive: true, force: true }));

  test('airports come out plausible, there and back', () => {
    const downtown = snap(DOWNTOWN);
    for (const [airport, least, most] of [
      [SAN_JOSE_AIRPORT, 40, 50],
      [SAN_FRANCISCO_AIRPORT, 70, 90],
    ] as const) {
      for (const travel of [
        network.travel(downtown, snap(airport)),
        network.travel(snap(airport), downtown),
      ]) {
        expect(minutes(travel)).toBeGreaterThan(least);
        expect(minutes(travel)).toBeLessThan(most);
        expect(travel!.estimated).toBe(true);
      }
    }
  });

  test('the way to San Jose leaves by Highway 17', () => {
    const route = network.route(snap(DOWNTOWN), snap(SAN_JOSE_AIRPORT))!;
    expect(route.streets.at(-1)!.name).toBe('Santa Cruz Highway');
    expect(route.line.at(-1)).toEqual([SAN_JOSE_AIRPORT.lon, SAN_JOSE_AIRPORT.lat]);
  });

  test('every face agrees where one end or both are outside', () => {
    const anywhere = pointsAround(network, { degreesSouth: 0.5, degreesElsewhere: 1 });
    const inRegion = pointsAround(network, { degreesSouth: 0, degreesElsewhere: 0 });
    fc.assert(
      fc.property(
        anywhere,
        fc.array(fc.oneof(anywhere, inRegion), { minLength: 8, maxLength: 8 }),
        (a, others) => expectFacesAgree(network, a, [...others, a]),
      ),
      { numRuns: 40 },
    );
  });

  test('two points outside are never dearer than the straight estimate', () => {
    const direct = createEstimateNetwork().travel(snap(SAN_JOSE_AIRPORT), snap(SAN_FRANCISCO_AIRPORT))!;
    expect(network.travel(snap(SAN_JOSE_AIRPORT), snap(SAN_FRANCISCO_AIRPORT))).toEqual(direct);
  });

  test('refuses the sea, and what is too far', () => {
    expect(network.snapOrReason({ lon: -122.05, lat: 36.9 })).toEqual({ refused: 'noRoadNear' });
    expect(network.snapOrReason({ lon: -122.1, lat: 36.95 })).toEqual({ refused: 'noRoadNear' });
    expect(network.snapOrReason({ lon: -74, lat: 40.7 })).toEqual({ refused: 'tooFar' });
    expect(network.snapOrReason({ lon: Number.NaN, lat: 37 })).toEqual({ refused: 'noRoadNear' });
    expect(network.snapOrReason({ lon: -122.03, lat: 36.97 + 360 })).toEqual({ refused: 'noRoadNear' });
    expect(network.snap({ lon: -74, lat: 40.7 })).toBeNull();
    expect(greatCircleMetres(DOWNTOWN, LOS_ANGELES_AIRPORT)).toBeLessThan(OUTSIDE_LIMIT_METRES);
    expect(network.snap(LOS_ANGELES_AIRPORT)).toMatchObject({ estimated: true });
  });
});

describe('with no region', () => {
  const network = createEstimateNetwork();

  test('everything is an estimate by distance', () => {
    const from = network.snap(DOWNTOWN)!;
    const to = network.snap(SAN_JOSE_AIRPORT)!;
    const travel = network.travel(from, to)!;
    expect(travel.estimated).toBe(true);
    expect(travel.metres).toBe(Math.round(greatCircleMetres(DOWNTOWN, SAN_JOSE_AIRPORT) * 1.35));
    expect(network.travelFrom(from)(to)).toEqual(travel);
    expect(network.travelTo(to)(from)).toEqual(travel);
    expect(network.manyToMany([from], [to])).toEqual([[travel]]);
    expect(network.meet(network.label(from, 'from'), network.label(to, 'to'))).toEqual(travel);
    expect(network.route(from, to)!.line).toHaveLength(2);
    expect(network.snap({ lon: 500, lat: 0 })).toBeNull();
  });
});
