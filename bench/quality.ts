import { buildCells } from '../roads/graph/cells.ts';
import { offsetsOf } from '../server/features/matching/rules/plan.ts';
import { meetingSpot, type Spot } from '../server/features/matching/rules/wish.ts';
import { randomFrom } from '../server/testing/random.ts';
import { drawTrips, midnightMs, rideOf, shuffled, walkMetres, wishOf, type Trip } from './commuters/day.ts';
import { readTown } from './commuters/town.ts';
import { buildRegionRoads, extractOf, type RegionRoads } from './region-roads.ts';
import { rounded, say } from './bench-app.ts';
import { keptBookings } from './quality/replay.ts';
import { play, type Method, type Outcome, type Wanted } from './quality/game.ts';
import { radiusSearch, routeBuffer, sameway } from './quality/methods.ts';

const metresPerMile = 1609.344;
/** As many as the server asks for. */
const mostMeetingPoints = 8;

/**
 * Compares ways of matching on the same day of commuters: how many passengers find a ride, the miles that are
 * not driven for it, and what it costs drivers and passengers. The rules of the day: quality/game.ts; who
 * lives and works where and when they leave: commuters/.
 */
export async function benchQuality(options: {
  region?: string;
  seed?: string;
  drivers?: string;
  passengers?: string;
  asks?: string;
}): Promise<Record<string, unknown>> {
  const region = options.region ?? 'santa-cruz';
  const pbfFile = extractOf(region);
  const seed = Number(options.seed ?? 1);
  const drivers = Number(options.drivers ?? 500);
  const passengers = Number(options.passengers ?? 500);
  const mostAsks = Number(options.asks ?? Infinity);
  say(`Building the roads and paths of ${pbfFile} …`);
  const built = await buildRegionRoads(pbfFile);
  const { graph, roads } = built;
  const town = await readTown(pbfFile);
  say(`Drawing ${drivers} drivers and ${passengers} passengers …`);
  const random = randomFrom(seed);
  const rides = drawTrips(town, roads, drivers, random).map(rideOf);
  const requests = shuffled(drawTrips(town, roads, passengers, random), random).map((trip, index) =>
    wantedOf(trip, index, built),
  );
  const engineRoads = { shared: { graph, lands: [] }, cells: buildCells(graph) };
  const methods: Method[] = [
    radiusSearch(1000),
    radiusSearch(3000),
    routeBuffer(1000, roads, false),
    routeBuffer(1000, roads, true),
    routeBuffer(3000, roads, true),
    sameway(engineRoads, { walks: false, order: 'ranking', nowMs: midnightMs }),
    sameway(engineRoads, { walks: true, order: 'ranking', nowMs: midnightMs }),
    sameway(engineRoads, { walks: true, order: 'least detour', nowMs: midnightMs }),
  ];
  const { residentialKm, mainKm, workplaces } = town;
  return {
    region,
    seed,
    drivers,
    passengers,
    mostAsks: Number.isFinite(mostAsks) ? mostAsks : null,
    rides: rides.length,
    requests: requests.length,
    passengerMiles: Math.round(sum(requests.map(({ driveMetres }) => driveMetres)) / metresPerMile),
    demand: { residentialKm, mainKm, workplaces },
    methods: methods.map((method) => {
      say(`Playing the day by ${method.name} …`);
      return { method: method.name, ...figuresOf(play(rides, requests, method, { roads, mostAsks }), roads) };
    }),
  };
}

function wantedOf(trip: Trip, index: number, { walks }: RegionRoads): Wanted {
  const atDoor = wishOf(trip);
  const around = (at: { lon: number; lat: number }): Spot[] =>
    walks
      .meetingPoints(at, walkMetres, mostMeetingPoints)
      .map(({ lon, lat, walkMetres: metres, streetName }) =>
        meetingSpot({ lon, lat, walkMetres: metres, name: streetName ?? '' }),
      );
  return {
    id: `request ${index}`,
    person: trip.person,
    driveMetres: trip.drive.metres,
    atDoor,
    walking: {
      ...atDoor,
      pickups: [...atDoor.pickups, ...around(trip.from)],
      dropoffs: [...atDoor.dropoffs, ...around(trip.to)],
    },
  };
}

function figuresOf(outcome: Outcome, roads: RegionRoads['roads']): Record<string, number> {
  const { bookings, proposals, broken, shown, firstBroken, requests } = outcome;
  const byRide = Map.groupBy(bookings, ({ rideId }) => rideId);
  const extraMs = [...byRide.keys()].map((rideId) => {
    const { plan } = outcome.rides.get(rideId)!;
    return offsetsOf(plan.stops).at(-1)! - plan.aloneMs;
  });
  const kept = [...byRide].map(([rideId, of]) => keptBookings(outcome.rides.get(rideId)!, of, roads));
  const byPerson = Map.groupBy(bookings, ({ wanted }) => wanted.person);
  const savedMetres = bookings.map(({ wanted, insertion }) => wanted.driveMetres - insertion.detourMetres);
  return {
    matchedShare: share(bookings.length, requests),
    bothWaysShare: share([...byPerson.values()].filter((of) => of.length === 2).length, requests / 2),
    milesSaved: Math.round(sum(savedMetres) / metresPerMile),
    detourMinutesPerRide: rounded(mean(extraMs) / 60_000),
    passengersPerRide: rounded(bookings.length / byRide.size),
    walkMetres: Math.round(
      mean(bookings.map(({ insertion: { pickup, dropoff } }) => pickup.walkMetres + dropoff.walkMetres)),
    ),
    proposalsPerRequest: rounded(proposals / requests),
    brokenProposals: share(broken, proposals),
    brokenFirstProposals: share(firstBroken, shown),
    asksPerMatch: rounded(mean(bookings.map(({ asks }) => asks))),
    interruptedBookings: bookings.length - sum(kept),
  };
}

/** To a tenth of a per cent. */
const share = (part: number, whole: number): number => Math.round((part / whole) * 1000) / 1000;
const sum = (figures: readonly number[]): number => figures.reduce((total, figure) => total + figure, 0);
const mean = (figures: readonly number[]): number => sum(figures) / figures.length;
