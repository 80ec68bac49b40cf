import { beforeAll, expect, test } from 'vitest';
import { buildCells } from '#roads/graph/cells.ts';
import { createRoadNetwork } from '#roads/graph/graph-network.ts';
import { edgeLine, type RoadGraph } from '#roads/graph/graph.ts';
import { loadRoadGraph } from '#roads/graph/load.ts';
import { apart } from '#roads/search/lane-sweep.ts';
import { timeHierarchy } from '#roads/search/time-arcs.ts';
import { testRoadCache } from '../../../testing/cache-folder.ts';
import { randomFrom } from '../../../testing/random.ts';
import { door } from '../rules/wish.ts';
import { Places, type Place } from './places.ts';
import { Question } from './question.ts';
import { RideRecords } from './ride-records.ts';
import { RideWays } from './ride-ways.ts';
import { RidesTogether } from './rides-together.ts';

let graph: RoadGraph;
let places: Places;
beforeAll(async () => {
  graph = await loadRoadGraph({ pbfFile: 'regions/santa-cruz/roads.osm.pbf', cacheFolder: testRoadCache });
  const roads = { graph, cells: buildCells(graph), times: timeHierarchy(graph) };
  places = new Places(createRoadNetwork(graph), roads);
}, 120_000);

const random = randomFrom(20_261_129);

/** Two places on one road. */
function drawnPair(): [Place, Place] {
  const line = edgeLine(graph, Math.floor(random() * graph.edgeCount));
  const drawn = () => {
    const at = Math.floor(random() * (line.length - 1));
    const share = random();
    const [[fromLon, fromLat], [toLon, toLat]] = [line[at]!, line[at + 1]!];
    return { lon: fromLon + (toLon - fromLon) * share, lat: fromLat + (toLat - fromLat) * share };
  };
  return [places.at(drawn())!, places.at(drawn())!];
}

const msBetween = (from: Place, to: Place): number =>
  places.network.travel(from.point, to.point)?.milliseconds ?? Infinity;

/** A ride with these places alone. */
const rideOver = (stops: Place[], firstWay: number) => ({
  driver: 0,
  isPublic: true,
  isPerCar: false,
  seats: 3,
  joinedSeats: 0,
  costCents: 0,
  departs: 0,
  earliest: 0,
  latest: 0,
  traffic: 1000,
  alone: 0,
  maxDetour: 0,
  preferences: 0,
  firstStop: 0,
  stops: stops.length,
  firstWay,
});

test('rides are left out only where the drives of their ends are too long, also along the road of a spot', () => {
  const [rides, ways] = [new RideRecords(), new RideWays(places)];
  const together = new RidesTogether({ places, rides, ways });
  const ends = { toMs: 0, toSpot: 0, fromMs: 0, fromSpot: 0 };
  let [along, left] = [0, 0];
  for (let draw = 0; draw < 3_000; draw++) {
    const [[near, pickup], [dropoff, end]] = [drawnPair(), drawnPair()];
    const start = draw % 2 === 0 ? near : drawnPair()[0];
    const question = Question.of(places, {
      seats: 1,
      pickups: [door(pickup.point)],
      dropoffs: [door(dropoff.point)],
      walkMetres: 0,
      earliestMs: 0,
      latestMs: 0,
      arriveByMs: 0,
      preferences: 0,
    })!;
    const [there, home] = [msBetween(start, question.pickups[0]!), msBetween(question.dropoffs[0]!, end)];
    rides.put(0, rideOver([start, end], ways.put([start, end])));
    together.add(0, there + home, 0);
    together.narrow(question, () => true);
    expect([together.count, together.hasTime(0)]).toEqual([1, true]);
    together.endsOf(0, ends);
    if (ends.toMs !== apart) expect(ends.toMs).toBeLessThanOrEqual(there);
    if (ends.fromMs !== apart && ends.fromMs < home) along++;
    ways.drop(rides.firstWay(0));
    together.count = 0;
    // With less time than the drive to the pick-up takes, where it is known, it is left out.
    if (ends.toMs === apart || ends.toMs < 1) continue;
    rides.put(0, rideOver([start, end], ways.put([start, end])));
    together.add(0, ends.toMs - 1, 0);
    together.narrow(question, () => true);
    expect(together.count).toBe(0);
    left++;
    ways.drop(rides.firstWay(0));
    together.count = 0;
  }
  expect(along).toBeGreaterThan(20);
  expect(left).toBeGreaterThan(20);
});
