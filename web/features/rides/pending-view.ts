import type { Booking, Ride } from '#contract/rides/views.ts';
import type { QueuedStep } from './step-queue.ts';

type Step = Pick<QueuedStep, 'name' | 'input'>;

const comingStates: readonly Booking['state'][] = ['joined', 'waiting', 'driver reached', 'picking'];
/** A pick-up this close behind the departure is taken for one at the starting point. */
const atStartMs = 120_000;
const departEarlyMs = 5 * 60_000;

/**
 * A ride as it will stand once the steps that wait for a connection are done: a guess to go on with, never more. What the
 * server says of them counts.
 */
export const withPending = (ride: Ride, steps: readonly Step[], nowMs: number): Ride =>
  steps.reduce((before, step) => settled(after(before, step), before, nowMs), ride);

function after(ride: Ride, { name, input }: Step): Ride {
  const bookingId = typeof input['bookingId'] === 'string' ? input['bookingId'] : undefined;
  const one = (from: readonly Booking['state'][], part: Partial<Booking>): Ride => ({
    ...ride,
    bookings: ride.bookings.map((each) =>
      each.id === bookingId && from.includes(each.state) ? { ...each, ...part } : each,
    ),
  });
  switch (name) {
    case 'reach':
      if (bookingId !== undefined) return one(['waiting'], { state: 'driver reached', may: ['meet'] });
      if (ride.state !== 'waiting') return ride;
      return {
        ...ride,
        state: 'driver reached',
        bookings: ride.bookings.map((each) =>
          each.state === 'waiting' && boardsAtStart(ride, each)
            ? { ...each, state: 'driver reached', may: ['meet'] }
            : each,
        ),
      };
    case 'depart':
      if (ride.state !== 'driver reached') return ride;
      return {
        ...ride,
        state: 'departed',
        bookings: ride.bookings.map((each) =>
          each.state === 'joined' || each.state === 'waiting'
            ? { ...each, state: 'waiting', may: ['reach'] }
            : each,
        ),
      };
    case 'passStop': {
      let via = 0;
      return {
        ...ride,
        stops: ride.stops.map((stop) =>
          stop.kind === 'via' && ++via <= Number(input['stop']) ? { ...stop, passed: true } : stop,
        ),
      };
    }
    case 'pickUp': {
      if (input['undo'] === true)
        return one(['picking'], { state: 'driver reached', metBy: null, may: ['meet'] });
      const isProved = typeof input['pin'] === 'string' || typeof input['code'] === 'string';
      const isMet = ride.bookings.some(({ id, metBy }) => id === bookingId && metBy === 'passenger');
      if (isMissed(ride, bookingId))
        return one(['missed'], isMet || isProved ? aboardAgain : { metBy: 'driver', may: [] });
      return isProved || isMet
        ? one(['driver reached', 'picking'], { state: 'picked', metBy: null, may: ['dropOff'] })
        : one(['driver reached'], { state: 'picking', metBy: 'driver', may: ['undoMeet'] });
    }
    case 'confirmMeeting':
      if (input['undo'] === true)
        return one(['picking'], { state: 'driver reached', metBy: null, may: ['meet'] });
      if (isMissed(ride, bookingId))
        return one(
          ['missed'],
          isMetByDriver(ride, bookingId) ? aboardAgain : { metBy: 'passenger', may: [] },
        );
      return isMetByDriver(ride, bookingId)
        ? one(['picking'], { state: 'picked', metBy: null, may: [] })
        : one(['driver reached'], { state: 'picking', metBy: 'passenger', may: ['undoMeet'] });
    case 'noteContact':
      return one(['driver reached'], { contacted: true });
    case 'noShow':
      return one(['driver reached'], { state: 'missed', may: [] });
    case 'reportDriver':
      return one(['waiting', 'driver reached'], { state: 'missed', may: [] });
    case 'arrive':
      if (bookingId !== undefined) return one(['picked'], { state: 'finished', may: [] });
      return {
        ...ride,
        state: 'finished',
        bookings: ride.bookings.map((each) =>
          each.state === 'picked' ? { ...each, state: 'finished', may: [] } : each,
        ),
      };
  }
}

/** On board after all: where they get out stands on the route again once the server has said so. */
const aboardAgain: Partial<Booking> = { state: 'picked', metBy: null, may: [] };

const isMissed = (ride: Ride, bookingId: string | undefined): boolean =>
  ride.bookings.some(({ id, state }) => id === bookingId && state === 'missed');

const isMetByDriver = (ride: Ride, bookingId: string | undefined): boolean =>
  ride.bookings.some(({ id, metBy }) => id === bookingId && metBy === 'driver');

function boardsAtStart(ride: Ride, booking: Booking): boolean {
  const stop = ride.stops.find(({ kind, bookingId }) => kind === 'pickup' && bookingId === booking.id);
  return stop !== undefined && Date.parse(stop.at) - Date.parse(ride.departsAt) <= atStartMs;
}

/** What follows from a step for the ride itself, and what its driver may do then. */
function settled(ride: Ride, before: Ride, nowMs: number): Ride {
  if (ride === before) return ride;
  const coming = ride.bookings.filter(({ state }) => comingStates.includes(state));
  const isAboard = ride.bookings.some(({ state }) => state === 'picked');
  const isAtTheCar = coming.some(({ state }) => state === 'driver reached' || state === 'picking');
  let { state, label } = ride;
  if (state === 'departed' || state === 'picking') {
    if (coming.length === 0 && isAboard) state = 'ongoing';
    else if (isAtTheCar) state = 'picking';
  }
  if (state !== before.state) label = state;
  const mayLeave =
    !coming.some((each) => boardsAtStart(ride, each)) &&
    (coming.length === 0 || nowMs >= Date.parse(ride.departsAt) - departEarlyMs);
  const may: Ride['may'] = !ride.mine
    ? []
    : state === 'driver reached'
      ? mayLeave
        ? ['depart']
        : []
      : state === 'ongoing'
        ? ['arrive']
        : (state === 'departed' || state === 'picking') && coming.length === 0
          ? ['endEmpty']
          : [];
  return { ...ride, state, label, may };
}
