import { endedRequestStates } from '#contract/rides/moves.ts';
import { hourMs, later, minuteMs } from '../../platform/clock.ts';
import { nameOf } from './deeds.ts';
import type { HistoryContext } from './history-context.ts';
import { readConclusions, type Booking, type Ride, type World } from './world.ts';

type Conclusions = Awaited<ReturnType<typeof readConclusions>>;
type Question = World['questions'][number];

const gatherMs = hourMs;
const givenUpMs = 3 * hourMs;
const leastWaitMs = 5 * minuteMs;

/** The scheduler's moves of a booking without any word for hours. */
const concludes: readonly string[] = ['reportDriver', 'board', 'dropOff'];

/**
 * No one is struck, charged or released because the server was away on the day of a ride: from an hour before
 * it leaves until it is given up on, what did not happen proves nothing. Both are asked, and the money
 * follows their answers.
 */
export async function wrongConclusions(context: HistoryContext, world: World): Promise<string[]> {
  if (context.outages.length === 0 && world.questions.length === 0) return [];
  const told = await readConclusions(
    context,
    world.rides.map(({ id }) => id),
  );
  return [
    ...wrongStrikes(context, world, told),
    ...wrongEnds(context, world, told),
    ...wrongNoShows(context, world, told),
    ...world.questions.flatMap((question) => wrongAnswer(world, question, told)),
  ];
}

const wasAway = ({ outages }: HistoryContext, from: Date, until: Date): boolean =>
  outages.some((outage) => outage.from < until && outage.until > from);

/** When a ride is given up on: hours after it should have left, or after it should have arrived. */
function givenUpAt(ride: Ride, { moves }: Conclusions): Date {
  const hasLeft = moves.some(
    ({ thing, thingId, move, actor }) =>
      thing === 'ride' && thingId === ride.id && move === 'depart' && actor === 'driver',
  );
  return later(hasLeft ? ride.arrivesAt : ride.latestDepartsAt, givenUpMs);
}

const earlier = (a: Date, b: Date) => (a < b ? a : b);

function wrongStrikes(context: HistoryContext, world: World, told: Conclusions): string[] {
  return told.strikes.flatMap(({ rideId, by }) => {
    if (by === 'driver') return [];
    const ride = world.rides.find(({ id }) => id === rideId)!;
    const missed = world.bookings.filter(
      (booking) => booking.rideId === rideId && booking.state === 'missed' && booking.fault === 'driver',
    );
    const endedAt = missed.flatMap((booking) => booking.endedAt ?? [])[0] ?? world.now;
    return wasAway(context, later(ride.departsAt, -gatherMs), earlier(endedAt, givenUpAt(ride, told)))
      ? [`the driver of ${nameOf(world, rideId)} is struck for a day on which the server was away`]
      : [];
  });
}

function wrongEnds(context: HistoryContext, world: World, told: Conclusions): string[] {
  return told.moves.flatMap(({ thing, thingId, move, actor, rideId }) => {
    if (actor !== 'system' || thing !== 'booking' || !concludes.includes(move)) return [];
    const ride = world.rides.find(({ id }) => id === rideId)!;
    return wasAway(context, later(ride.departsAt, -gatherMs), givenUpAt(ride, told))
      ? [`${nameOf(world, thingId)}: ${move} is concluded from a day on which the server was away`]
      : [];
  });
}

/** A driver waits for a passenger while both could say that they are there. */
function wrongNoShows({ outages }: HistoryContext, world: World, { moves }: Conclusions): string[] {
  return moves.flatMap(({ thingId, move, at }) => {
    if (move !== 'noShow') return [];
    const upSinceMs = Math.max(
      0,
      ...outages.filter(({ from }) => from < at).map(({ until }) => until.getTime()),
    );
    return at.getTime() - upSinceMs < leastWaitMs
      ? [`${nameOf(world, thingId)} is missed for a wait in which the server was away`]
      : [];
  });
}

/**
 * Agreeing answers of both sides decide; where they differ an admin does, and until then nothing is taken.
 */
function wrongAnswer(world: World, question: Question, { moves }: Conclusions): string[] {
  const booking = world.bookings.find(({ id }) => id === question.bookingId)!;
  const hold = world.holds.find(({ bookingId, isCurrent }) => isCurrent && bookingId === booking.id);
  const name = `${nameOf(world, booking.id)} (${booking.state})`;
  const owesForLeaving =
    (booking.lateFeeCents ?? 0) > 0 && booking.endedAt !== null && booking.endedAt >= question.askedAt;
  if (owesForLeaving) return [`${name} pays ${booking.lateFeeCents} ¢ while both are asked`];
  if (question.closedAt === null) return wrongWhileAsked(name, booking, hold?.goal ?? null);
  const concluded = moves.find(
    ({ thing, thingId, move }) =>
      thing === 'booking' && thingId === booking.id && (move === 'agreeRidden' || move === 'leaveOpen'),
  );
  // Steps that came in late have said more than the answers.
  if (concluded === undefined)
    return question.outcome === 'overtaken' ? [] : [`${name}: ${question.outcome} follows from nothing`];
  const silent = concluded.fromState === 'picked' ? true : null;
  const said = [question.driverSays ?? silent, question.passengerSays ?? silent];
  const isAgreed = said[0] === said[1] && said[0] !== null;
  const expected = isAgreed ? (said[0] === true ? 'happened' : 'notHappened') : 'contested';
  if (question.outcome !== expected)
    return [`${name}: they said ${said.join(' and ')}, it is taken as ${question.outcome}`];
  const taken = world.holds
    .filter(({ bookingId }) => bookingId === booking.id)
    .reduce((sum, { capturedCents }) => sum + capturedCents, 0);
  const isDecided = world.disputes.some(
    ({ bookingId, resolvedById }) => bookingId === booking.id && resolvedById !== null,
  );
  if (expected === 'notHappened' && (taken > 0 || hold?.goal === 'capture'))
    return [`${name} did not take place, as both say, and is charged for`];
  return expected === 'contested' && taken > 0 && !isDecided
    ? [`${name} is charged for while it is contested`]
    : [];
}

function wrongWhileAsked(name: string, { endedAt }: Booking, goal: string | null): string[] {
  if (endedAt !== null || goal === null || goal === 'authorize') return [];
  return [`${name}: both are asked, and its money is to be ${goal === 'capture' ? 'taken' : 'released'}`];
}

/** Of a suspended person nothing is left that is still to come, once that has been heard. */
export function wrongSuspensions({ suspended }: HistoryContext, world: World): string[] {
  const rides = world.rides.filter(
    ({ id, driverId, state, unclearAt }) =>
      suspended.has(driverId) &&
      unclearAt === null &&
      ['matching', 'full', 'waiting', 'driver reached'].includes(state) &&
      // A passenger who is on board is taken to where they go.
      !world.bookings.some(({ rideId, state: of }) => rideId === id && of === 'picked'),
  );
  const requests = world.requests.filter(
    ({ id, passengerId, state }) =>
      suspended.has(passengerId) &&
      !endedRequestStates.includes(state) &&
      // A ride under way goes on.
      !world.bookings.some(
        ({ requestId, endedAt, state: of, unclearAt }) =>
          requestId === id &&
          endedAt === null &&
          (unclearAt !== null || ['driver reached', 'picking', 'picked'].includes(of)),
      ),
  );
  return [...rides, ...requests].map(
    ({ id, state }) => `${nameOf(world, id)} (${state}) is of a suspended person`,
  );
}
