import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { createRoadNetwork } from '#roads/graph/graph-network.ts';
import type { RoadGraph } from '#roads/graph/graph.ts';
import { loadRoadGraph } from '#roads/graph/load.ts';
import type { LonLat, RoadNetwork, RoadPoint, Travel } from '#roads/graph/network.ts';
import { freePermille, mostPermille } from '#roads/graph/traffic.ts';
import { textbookLabels, textbookTravel } from '#roads/testing/textbook.ts';
import { loadWalkNetwork } from '#roads/walk/walk-load.ts';
import type { WalkNetwork } from '#roads/walk/walk-network.ts';
import { tryEverything, type BruteRide } from '../../../testing/brute-force.ts';
import { testRoadCache } from '../../../testing/cache-folder.ts';
import { randomFrom } from '../../../testing/random.ts';
import { sized } from '../../../testing/size.ts';
import { arriveByMs, defaultMaxDetourMs } from '../rules/detour.ts';
import { bestInsertion, measured, withBooking } from '../rules/insertion.ts';
import { planAlone, type Plan } from '../rules/plan.ts';
import { door, meetingSpot, type Spot, type Wish } from '../rules/wish.ts';
import { Engine } from './engine.ts';
import type { RequestEntry, RideEntry } from './entries.ts';

const minute = 60_000;
const start = Date.UTC(2026, 10, 23, 16);

const regions = [
  {
    name: 'santa-cruz',
    pbfFile: 'regions/santa-cruz/roads.osm.pbf',
    rides: 60,
    requests: 12,
    spread: 0.35,
    always: true,
  },
  {
    name: 'porto',
    pbfFile: '../shared/data/regions/porto/porto_portugal.osm.pbf',
    rides: 24,
    requests: 7,
    spread: 0.1,
    always: false,
  },
  {
    name: 'central-pa',
    pbfFile: '../shared/data/regions/central-pa/central-pa.osm.pbf',
    rides: 30,
    requests: 8,
    spread: 0.1,
    always: false,
  },
];

// Building the graph of a foreign region takes longer than all of its tests: `npm run test:long` runs those.
const tried = regions.filter(({ always }) => sized(always, true));

const asker = { nowMs: start - minute, hidden: [], most: 1000, nearMisses: 0 };

for (const region of tried) {
  const { name, pbfFile, always } = region;
  const present = existsSync(pbfFile);
  if (!present && !always) console.warn(`SKIPPED: matching is not tested on ${name}, for want of ${pbfFile}`);

  describe.skipIf(!present && !always)(`matching on ${name}`, () => {
    let crowd: Crowd;
    beforeAll(async () => {
      crowd = await drawCrowd(region);
    }, 300_000);

    testExactness(() => crowd);
    testLists(() => crowd, always);
    testAnswers(() => crowd, always);
    testChanges(() => crowd);
  });
}

/** Rides and requests of a town, the engine that holds them, and what it has to find. */
interface Crowd {
  engine: Engine;
  rides: RideEntry[];
  requests: RequestEntry[];
  /** Pairs that fit by trying everything on plain Dijkstra searches: `ride request` → extra milliseconds. */
  expected: Map<string, number>;
  /** The same among the pairs that can still be met at an instant. */
  stillPossible: (nowMs: number) => Map<string, number>;
}

async function drawCrowd({
  pbfFile,
  rides: rideCount,
  requests: requestCount,
  spread,
}: (typeof regions)[number]): Promise<Crowd> {
  const graph = await loadRoadGraph({ pbfFile, cacheFolder: testRoadCache });
  const walks = await loadWalkNetwork({ pbfFiles: [pbfFile], roads: graph, cacheFolder: testRoadCache });
  const town = new Town(graph, walks, { seed: 20_261_125, spread });
  const rides = Array.from({ length: rideCount }, (_, i) => town.ride(i % 4));
  const requests = Array.from({ length: requestCount }, () => town.request());
  const engine = new Engine({ shared: { graph, lands: [] } });
  engine.take([
    ...rides.map((ride) => ({ kind: 'ride' as const, ride })),
    ...requests.map((request) => ({ kind: 'request' as const, request })),
  ]);
  const travel = textbookTravels(graph);
  const stillPossible = (nowMs: number) => everyPair(town.network, travel, { rides, requests, nowMs });
  return { engine, rides, requests, expected: stillPossible(-Infinity), stillPossible };
}

function testExactness(crowd: () => Crowd): void {
  test('finds exactly the rides for each request that trying everything finds, with the same detour', () => {
    const { engine, requests, expected } = crowd();
    const found = new Map<string, number>();
    for (const { id, wish, offerCents } of requests) {
      const answer = engine.answer({ kind: 'ridesFor', wish, offerCents, asker });
      for (const hit of answer.hits) found.set(`${hit.id} ${id}`, hit.choice.detourMs);
      expect(answer.publicCount + answer.restrictedCount).toBe(answer.hits.length);
    }
    expect(found).toEqual(expected);
    // A test over nothing would prove nothing.
    expect(expected.size).toBeGreaterThan(requests.length);
  });

  test('finds the same pairs from the other side', () => {
    const { engine, rides, expected } = crowd();
    const found = new Map<string, number>();
    for (const ride of rides) {
      for (const hit of engine.answer({ kind: 'requestsFor', ride, asker }).hits)
        found.set(`${ride.id} ${hit.id}`, hit.choice.detourMs);
    }
    expect(found).toEqual(expected);
  });

  test('at any instant finds exactly what can still be met: nobody leaves in the past, by car or on foot', () => {
    const { engine, rides, requests, expected, stillPossible } = crowd();
    // In the midst of the departures: some rides have left, some can still wait, some are to come.
    const sizes: number[] = [];
    for (const minutes of [20, 45]) {
      const nowMs = start + minutes * minute + 17_500;
      const now = { ...asker, nowMs };
      const still = stillPossible(nowMs);
      const fromRequests = new Map<string, number>();
      for (const { id, wish, offerCents } of requests)
        for (const hit of engine.answer({ kind: 'ridesFor', wish, offerCents, asker: now }).hits) {
          fromRequests.set(`${hit.id} ${id}`, hit.choice.detourMs);
          expect(hit.choice.departsMs).toBeGreaterThanOrEqual(nowMs);
          const { walkMs } = wish.pickups[hit.choice.pickupSpot]!;
          expect(hit.choice.pickupMs - walkMs).toBeGreaterThanOrEqual(nowMs);
        }
      expect(fromRequests).toEqual(still);
      const fromRides = new Map<string, number>();
      for (const ride of rides)
        for (const hit of engine.answer({ kind: 'requestsFor', ride, asker: now }).hits)
          fromRides.set(`${ride.id} ${hit.id}`, hit.choice.detourMs);
      expect(fromRides).toEqual(still);
      expect(still.size).toBeGreaterThan(0);
      sizes.push(still.size);
    }
    // Of a small crowd all may still be met at the first instant.
    expect(sizes[0]).toBeLessThanOrEqual(expected.size);
    expect(sizes[1]).toBeLessThan(expected.size);
  }, 300_000);
}

function testLists(crowd: () => Crowd, always: boolean): void {
  test('judges lists as it judges what it holds', () => {
    const { engine, rides, requests, expected } = crowd();
    const found = new Map<string, number>();
    const wishes = requests.map(({ id, wish, offerCents }) => ({ key: id, given: { wish, offerCents } }));
    for (const [index, ride] of rides.slice(0, 10).entries()) {
      // The requests given for the first ride are cached for the others.
      const asked = index === 0 ? wishes : wishes.map(({ key }) => ({ key }));
      engine.judge({ kind: 'ridePairs', nowMs: asker.nowMs, ride, wishes: asked }).forEach((verdict, i) => {
        expect(verdict).not.toBe('unknown');
        if (verdict !== null && verdict !== 'unknown')
          found.set(`${ride.id} ${requests[i]!.id}`, verdict.choice.detourMs);
      });
    }
    for (const { id, wish, offerCents } of requests) {
      engine
        .judge({ kind: 'wishPairs', nowMs: asker.nowMs, wish, offerCents, rides: rides.slice(10) })
        .forEach((verdict, i) => {
          if (verdict !== null && verdict !== 'unknown')
            found.set(`${rides[i + 10]!.id} ${id}`, verdict.choice.detourMs);
        });
    }
    expect(found).toEqual(expected);
  });

  test('of few that are asked for, the best are the same, and all that fit are counted', () => {
    const { engine, requests } = crowd();
    let cut = 0;
    for (const { wish, offerCents } of requests) {
      const answers = [1, 3, 1000].map((most) =>
        engine.answer({ kind: 'ridesFor', wish, offerCents, asker: { ...asker, most } }),
      );
      const all = answers[2]!;
      for (const [index, most] of [1, 3].entries()) {
        const { hits, ...counts } = answers[index]!;
        expect(hits).toEqual(all.hits.slice(0, most));
        expect(counts).toEqual({ ...all, hits: undefined });
        if (all.hits.length > most) cut++;
      }
    }
    if (always) expect(cut).toBeGreaterThan(0);
  });

  test('judges only those of the kept wishes that are asked about, and names those that it does not keep', () => {
    const { engine, rides, requests, expected } = crowd();
    const ride = rides.find(({ id }) => [...expected.keys()].some((pair) => pair.startsWith(id)))!;
    const wishes = requests.map(({ id, wish, offerCents }) => ({
      key: `once ${id}`,
      given: { wish, offerCents },
    }));
    const all = engine.judge({ kind: 'ridePairs', nowMs: asker.nowMs, ride, wishes });
    const fits = all.flatMap((verdict, i) => (verdict === null ? [] : [i]));
    const asked = [{ key: wishes[fits[0]!]!.key }, { key: 'another' }];
    const [fit, unknown] = engine.judge({ kind: 'ridePairs', nowMs: asker.nowMs, ride, wishes: asked });
    expect(fit).toEqual(all[fits[0]!]);
    expect(unknown).toBe('unknown');
  });
}

function testAnswers(crowd: () => Crowd, always: boolean): void {
  test('some fit by a walk alone, and rides with people on board are among those found', () => {
    const { engine, rides, requests, expected } = crowd();
    const onBoard = rides.filter(({ plan }) => plan.stops.length > 2).map(({ id }) => id);
    const pairs = [...expected.keys()];
    expect(pairs.filter((pair) => onBoard.some((id) => pair.startsWith(id))).length).toBeGreaterThan(0);
    const atTheDoor = requests.flatMap(({ id, wish, offerCents }) =>
      engine
        .answer({ kind: 'ridesFor', wish: { ...wish, walkMetres: 0 }, offerCents, asker })
        .hits.map((hit) => `${hit.id} ${id}`),
    );
    if (always) expect(atTheDoor.length).toBeLessThan(expected.size);
  });

  test('hides people, and counts what it does not hand over', () => {
    const { engine, rides, requests, expected } = crowd();
    const [{ wish, offerCents } = requests[0]!] = requests.filter(({ id }) =>
      [...expected.keys()].some((pair) => pair.endsWith(id)),
    );
    const all = engine.answer({ kind: 'ridesFor', wish, offerCents, asker });
    const [first] = all.hits;
    const driver = rides.find(({ id }) => id === first!.id)!.driverId;
    const without = engine.answer({
      kind: 'ridesFor',
      wish,
      offerCents,
      asker: { ...asker, hidden: [driver] },
    });
    expect(without.hits).toEqual(all.hits.slice(1));
    const one = engine.answer({ kind: 'ridesFor', wish, offerCents, asker: { ...asker, most: 1 } });
    expect(one.hits).toEqual([first]);
    expect(one.publicCount + one.restrictedCount).toBe(all.hits.length);
  });
}

function testChanges(crowd: () => Crowd): void {
  test('forgets what has gone, learns it again, and stays exact over a thousand changes', () => {
    const { engine, rides, requests, expected } = crowd();
    const random = randomFrom(7);
    let known = new Set(rides.map(({ id }) => id));
    for (let turn = 0; turn < 1000; turn++) {
      const ride = rides[Math.floor(random() * rides.length)]!;
      if (known.has(ride.id) && random() < 0.5) {
        engine.take([{ kind: 'gone', id: ride.id }]);
        known.delete(ride.id);
      } else {
        engine.take([{ kind: 'ride', ride }]);
        known.add(ride.id);
      }
    }
    const pairs = () =>
      requests.flatMap(({ id, wish, offerCents }) =>
        engine.answer({ kind: 'ridesFor', wish, offerCents, asker }).hits.map((hit) => `${hit.id} ${id}`),
      );
    const fitting = [...expected.keys()];
    expect(pairs().toSorted()).toEqual(fitting.filter((pair) => known.has(pair.split(' ')[0]!)).toSorted());
    expect(engine.census().rides).toBe(known.size);
    engine.take(rides.map((ride) => ({ kind: 'ride', ride })));
    known = new Set(rides.map(({ id }) => id));
    expect(pairs().toSorted()).toEqual(fitting.toSorted());
  });
}

/** Draws rides and requests on one region; the same seed draws the same. */
class Town {
  readonly network: RoadNetwork;
  private readonly walks: WalkNetwork;
  private readonly random: () => number;
  private readonly spread: number;

  /** @param of.spread how far from the middle people live: the share of the region's width. */
  constructor(graph: RoadGraph, walks: WalkNetwork, of: { seed: number; spread: number }) {
    this.network = createRoadNetwork(graph);
    this.walks = walks;
    this.random = randomFrom(of.seed);
    this.spread = of.spread;
  }

  ride(people: number): RideEntry {
    for (;;) {
      const [from, to] = [this.place(), this.place()];
      const drive = this.travel(from, to);
      if (drive.milliseconds < 4 * minute) continue;
      const via = Array.from({ length: this.pick([0, 0, 0, 1, 2]) }, () => this.place());
      const legs = [from, ...via].map((at, i) => this.travel(at, via[i] ?? to));
      const departs = start + Math.floor(this.random() * 60) * minute;
      let plan = planAlone({
        from,
        to,
        drive: legs[0]!,
        via: via.map((at, i) => ({ ...at, drive: legs[i + 1]! })),
        preferences: this.pick([3, 3, 7, 7, 0, 1, 11, 15]),
        seats: this.pick([2, 3, 4]),
        earliestDepartsMs: departs,
        latestDepartsMs: departs + this.pick([0, 10, 30]) * minute,
        // Of one hour and the next, of another profile: whatever it is, it is the ride's own.
        trafficPermille: this.pick([freePermille, 1050, 1113, 1170, mostPermille]),
        maxDetourMs: this.pick([defaultMaxDetourMs(drive.milliseconds), 20 * minute, 35 * minute]),
      });
      let joined = 0;
      for (let tries = 0; joined < people && tries < 60; tries++) {
        const with1 = this.withOne(plan, this.wish(departs, 0), String(joined));
        if (with1 === null) continue;
        plan = with1;
        joined++;
      }
      return {
        id: randomUUID(),
        driverId: randomUUID(),
        isPublic: this.random() < 0.8,
        plan,
        priceKind: this.pick(['perPerson', 'perCar']),
        costCents: this.pick([0, 600, 1500]),
        joinedSeats: joined,
      };
    }
  }

  request(): RequestEntry {
    return {
      id: randomUUID(),
      passengerId: randomUUID(),
      isPublic: true,
      wish: this.wish(start + Math.floor(this.random() * 60) * minute, 600),
      offerCents: this.pick([null, null, 700]),
    };
  }

  private wish(earliestMs: number, walkMetres: number): Wish {
    const [from, to] = [this.place(), this.place()];
    const latestMs = earliestMs + this.pick([20, 45, 90]) * minute;
    const spots = (at: LonLat): Spot[] => [
      door(at),
      ...(walkMetres === 0 ? [] : this.walks.meetingPoints(at, walkMetres + 300, 5)).map(
        ({ lon, lat, walkMetres: metres }) => meetingSpot({ lon, lat, walkMetres: metres, name: '' }),
      ),
    ];
    return {
      seats: this.pick([1, 1, 2]),
      pickups: spots(from),
      dropoffs: spots(to),
      walkMetres,
      earliestMs,
      latestMs,
      arriveByMs: arriveByMs(latestMs, this.travel(from, to).milliseconds),
      preferences: this.pick([0, 0, 0, 0, 1, 2, 4, 8]),
    };
  }

  private withOne(plan: Plan, wish: Wish, id: string): Plan | null {
    const ms = (from: LonLat, to: LonLat) => this.travel(from, to).milliseconds;
    const { stops } = plan;
    const choice = bestInsertion(plan, wish, {
      toPickup: (stop, spot) => ms(stops[stop]!, wish.pickups[spot]!),
      fromPickup: (spot, stop) => ms(wish.pickups[spot]!, stops[stop]!),
      toDropoff: (stop, spot) => ms(stops[stop]!, wish.dropoffs[spot]!),
      fromDropoff: (spot, stop) => ms(wish.dropoffs[spot]!, stops[stop]!),
      direct: (pickup, dropoff) => ms(wish.pickups[pickup]!, wish.dropoffs[dropoff]!),
    });
    if (choice === null) return null;
    return withBooking(
      plan,
      wish,
      measured(plan, wish, choice, (from, to) => this.travel(from, to)),
      id,
    );
  }

  /** Towards the middle, where roads are dense and people's ways cross. */
  private place(): LonLat {
    const [west, south, east, north] = this.network.bounds;
    const towards = () => 0.5 + (this.random() + this.random() - 1) * this.spread;
    for (;;) {
      const at = { lon: west + (east - west) * towards(), lat: south + (north - south) * towards() };
      const point = this.network.snap(at);
      if (point !== null && !point.estimated) return { lon: point.lon, lat: point.lat };
    }
  }

  private travel(from: LonLat, to: LonLat): Travel {
    return this.network.travel(this.network.snap(from)!, this.network.snap(to)!)!;
  }

  private pick<T>(list: readonly T[]): T {
    return list[Math.floor(this.random() * list.length)]!;
  }
}

/** Drives by plain Dijkstra searches, one for each point that they begin at. */
function textbookTravels(graph: RoadGraph): (from: RoadPoint, to: RoadPoint) => Travel | null {
  const searches = new Map<string, ReturnType<typeof textbookLabels>>();
  return (from, to) => {
    const key = `${from.lon},${from.lat}`;
    const labels = searches.get(key) ?? textbookLabels(graph, from);
    searches.set(key, labels);
    return textbookTravel(graph, labels, from, to) ?? null;
  };
}

function everyPair(
  network: RoadNetwork,
  travel: (from: RoadPoint, to: RoadPoint) => Travel | null,
  {
    rides,
    requests,
    nowMs,
  }: { rides: readonly RideEntry[]; requests: readonly RequestEntry[]; nowMs: number },
): Map<string, number> {
  const points = new Map<string, RoadPoint>();
  const point = ({ lon, lat }: LonLat): RoadPoint => {
    const key = `${lon},${lat}`;
    const known = points.get(key) ?? network.snap({ lon, lat })!;
    points.set(key, known);
    return known;
  };
  const found = new Map<string, number>();
  for (const { id, wish, offerCents } of requests) {
    const spots = (list: readonly Spot[]) =>
      list
        .filter(({ walkMetres }, i) => i === 0 || walkMetres <= wish.walkMetres)
        .map((spot) => ({ point: point(spot), walkMs: spot.walkMs }));
    const tried = { ...wish, nowMs, pickups: spots(wish.pickups), dropoffs: spots(wish.dropoffs) };
    for (const ride of rides) {
      const share =
        ride.priceKind === 'perPerson'
          ? ride.costCents * wish.seats
          : Math.ceil((ride.costCents * wish.seats) / (ride.joinedSeats + wish.seats));
      // Pets and large luggage must be welcome, and women are among themselves where both want to be.
      const [has, brings] = [ride.plan.preferences, wish.preferences];
      const isWelcome = [1, 2].every((bit) => (brings & bit) === 0 || (has & bit) !== 0);
      if (!isWelcome || (has & 8) !== (brings & 8)) continue;
      if (offerCents !== null && share > offerCents * wish.seats) continue;
      const extra = tryEverything(bruteRide(ride.plan, point), tried, travel);
      if (extra !== null) found.set(`${ride.id} ${id}`, extra);
    }
  }
  return found;
}

function bruteRide(plan: Plan, point: (at: LonLat) => RoadPoint): BruteRide {
  let taken = 0;
  return {
    stops: plan.stops.map((stop) => {
      const seatsChange = stop.seatsTaken - taken;
      taken = stop.seatsTaken;
      const { standsMs, earliestMs, latestMs } = stop;
      return { point: point(stop), standsMs, earliestMs, latestMs, seatsChange };
    }),
    seats: plan.seats,
    earliestDepartsMs: plan.earliestDepartsMs,
    latestDepartsMs: plan.latestDepartsMs,
    trafficPermille: plan.trafficPermille,
    aloneMs: plan.aloneMs,
    maxDetourMs: plan.maxDetourMs,
  };
}
