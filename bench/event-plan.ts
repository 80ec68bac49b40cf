import { Assigner } from '../server/features/matching/assignment/client.ts';
import { assign } from '../server/features/matching/assignment/assign.ts';
import { assignEffort, type Problem } from '../server/features/matching/assignment/problem.ts';
import { meetingSpot, type Spot } from '../server/features/matching/rules/wish.ts';
import { drawEventCrowd } from '../server/testing/event-crowd.ts';
import { solveExactly } from '../server/testing/exact-assignment.ts';
import { randomFrom } from '../server/testing/random.ts';
import { readTown } from './commuters/town.ts';
import { buildRegionRoads, extractOf, type RegionRoads } from './region-roads.ts';
import { rounded, say } from './bench-app.ts';

const walkMetres = 600;
const mostMeetingPoints = 8;
const smallInstances = 40;

/**
 * The organizer's plan for one event: all on their way to one place, `served` people with a seat of
 * `passengers` requests. Greedy takes the cheapest place again and again, by the same rules. The small
 * instances (3 drivers, 6 passengers) are solved exactly by trying every order of stops: `gapToOptimumSmall`
 * is the mean of how much more is driven for passengers than it takes, in per cent, where as many have a
 * seat; `smallLeftMore` the seats that an optimum has more.
 */
export async function benchEventPlan(options: {
  region?: string;
  seed?: string;
  drivers?: string;
  passengers?: string;
}): Promise<Record<string, unknown>> {
  const region = options.region ?? 'santa-cruz';
  const seed = Number(options.seed ?? 1);
  const drivers = Number(options.drivers ?? 60);
  const passengers = Number(options.passengers ?? 200);
  const pbfFile = extractOf(region);
  say(`Building the roads and paths of ${pbfFile} …`);
  const built = await buildRegionRoads(pbfFile);
  const { network } = built.roads;
  const town = await readTown(pbfFile);
  const random = randomFrom(seed);
  const home = (draw: () => number) => town.home(draw);
  const at = town.work(random);

  say(`Planning for ${drivers} drivers and ${passengers} passengers …`);
  const spots = spotsOf(built);
  const crowd = drawEventCrowd({ network, at, drivers, passengers, random, home, spots });
  const { plan, seconds, longestPauseMs } = await planTimed(
    { ...crowd, kept: [], seed, ...assignEffort },
    network,
  );
  const seats = sum(crowd.wishes.map((wish) => wish.seats));
  const aloneMs = sum(crowd.rides.map((ride) => ride.aloneMs));
  const minutes = (ms: number) => Math.round(ms / 60_000);
  const greedyRideMs = aloneMs + plan.greedy.driveMs;

  say(`${smallInstances} small events, each solved exactly …`);
  const small = Array.from({ length: smallInstances }, () =>
    planSmall(
      drawEventCrowd({
        network,
        at: town.work(random),
        drivers: 3,
        passengers: 6,
        random,
        home,
        spots: (place) => spots(place).slice(0, 1),
      }),
      built,
      seed,
    ),
  );
  const equal = small.filter(({ leftMore }) => leftMore === 0);
  return {
    region,
    seed,
    passengers,
    drivers,
    seatsWanted: seats,
    seatsOffered: sum(crowd.rides.map((ride) => ride.seats)),
    served: seats - plan.leftSeats,
    greedyServed: seats - plan.greedy.leftSeats,
    driveMinutes: minutes(aloneMs + plan.driveMs),
    greedyDriveMinutes: minutes(greedyRideMs),
    detourMinutes: minutes(plan.driveMs),
    greedyDetourMinutes: minutes(plan.greedy.driveMs),
    seconds: rounded(seconds),
    longestPauseMs,
    gapToOptimumSmall: rounded((100 * sum(equal.map(({ gap }) => gap))) / Math.max(1, equal.length)),
    worstGapSmall: rounded(100 * Math.max(0, ...equal.map(({ gap }) => gap))),
    smallOptimumServed: sum(small.map(({ served }) => served)),
    smallLeftMore: sum(small.map(({ leftMore }) => leftMore)),
    smallGreedyLeftMore: sum(small.map(({ greedyLeftMore }) => greedyLeftMore)),
    smallInstances,
  };
}

/** Plans in the assigner's thread, and measures every 20 ms how long this thread was blocked. */
async function planTimed(task: Problem, network: RegionRoads['roads']['network']) {
  const assigner = new Assigner(network.shared);
  const beganAt = performance.now();
  let lagMs = 0;
  let tickedAt = beganAt;
  const ticks = setInterval(() => {
    const now = performance.now();
    lagMs = Math.max(lagMs, now - tickedAt - 20);
    tickedAt = now;
  }, 20);
  const plan = await assigner.assign(task);
  const seconds = (performance.now() - beganAt) / 1000;
  clearInterval(ticks);
  await assigner.close();
  return { plan, seconds, longestPauseMs: Math.round(lagMs) };
}

/**
 * A small event, planned and solved exactly: seats of the optimum, seats left more than by it, and how much
 * more is driven.
 */
function planSmall(few: ReturnType<typeof drawEventCrowd>, { roads }: RegionRoads, seed: number) {
  const exact = solveExactly(few, (from, to) => roads.travel(from, to).milliseconds);
  const found = assign({ ...few, kept: [], seed, ...assignEffort }, roads.network);
  const optimumMs = Math.round(exact.costMs);
  return {
    served: sum(few.wishes.map((wish) => wish.seats)) - exact.leftSeats,
    leftMore: found.leftSeats - exact.leftSeats,
    greedyLeftMore: found.greedy.leftSeats - exact.leftSeats,
    gap: optimumMs === 0 ? 0 : (found.costMs - exact.costMs) / exact.costMs,
  };
}

const spotsOf =
  ({ walks }: RegionRoads) =>
  (at: { lon: number; lat: number }): Spot[] =>
    walks
      .meetingPoints(at, walkMetres, mostMeetingPoints)
      .map(({ lon, lat, walkMetres: metres, streetName }) =>
        meetingSpot({ lon, lat, walkMetres: metres, name: streetName ?? '' }),
      );

const sum = (figures: readonly number[]): number => figures.reduce((all, each) => all + each, 0);
