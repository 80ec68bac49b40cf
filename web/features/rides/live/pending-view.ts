import {
  bookingMoves,
  comingStates,
  departEarlyMs,
  expectedStates,
  meetingStates,
  rideMoves,
  type BookingState,
  type RideState,
} from '#contract/rides/moves.ts';
import type { Booking, Ride } from '#contract/rides/views.ts';
import type { QueuedStep } from './step-queue.ts';

type Step = Pick<QueuedStep, 'name' | 'input'>;

/** Rides on the way to a pick-up. */
const pickingUpStates: readonly RideState[] = rideMoves.carryOn.from;

/**
 * A ride as it will stand once the steps that wait for a connection are done: a guess to go on with, never
 * more. What the server says of them counts.
 */
export const withPending = (ride: Ride, steps: readonly Step[], nowMs: number): Ride =>
  steps.reduce((before, step) => settled(after(before, step), before, nowMs), ride);

/** What a step's effect is computed from. */
interface Effect {
  ride: Ride;
  input: Step['input'];
  bookingId: string | undefined;
  /** The ride with this part of the step's booking changed, if it is in one of these states. */
  one: (from: readonly BookingState[], part: Partial<Booking>) => Ride;
}

function after(ride: Ride, { name, input }: Step): Ride {
  const bookingId = typeof input['bookingId'] === 'string' ? input['bookingId'] : undefined;
  const one: Effect['one'] = (from, part) =>
    withBookings(ride, (each) => each.id === bookingId && from.includes(each.state), part);
  return effects[name]({ ride, input, bookingId, one });
}

const withBookings = (ride: Ride, concerns: (booking: Booking) => boolean, part: Partial<Booking>): Ride => ({
  ...ride,
  bookings: ride.bookings.map((each) => (concerns(each) ? { ...each, ...part } : each)),
});

const effects: Readonly<Record<Step['name'], (effect: Effect) => Ride>> = {
  reach: ({ ride, bookingId, one }) => {
    const reached: Partial<Booking> = { state: 'driver reached', may: ['meet'] };
    if (bookingId !== undefined) return one(['waiting'], reached);
    if (ride.state !== 'waiting') return ride;
    return {
      ...withBookings(ride, (each) => each.state === 'waiting' && each.boardsAtStart, reached),
      state: 'driver reached',
    };
  },
  depart: ({ ride }) => {
    if (ride.state !== 'driver reached') return ride;
    const concerns = ({ state }: Booking) => expectedStates.includes(state);
    return { ...withBookings(ride, concerns, { state: 'waiting', may: ['reach'] }), state: 'departed' };
  },
  passStop: ({ ride, input }) => {
    let via = 0;
    return {
      ...ride,
      stops: ride.stops.map((stop) =>
        stop.kind === 'via' && ++via <= Number(input['stop']) ? { ...stop, passed: true } : stop,
      ),
    };
  },
  pickUp: ({ ride, input, bookingId, one }) => {
    if (input['undo'] === true) return one(['picking'], notMet);
    const isProved = typeof input['pin'] === 'string' || typeof input['code'] === 'string';
    const isMet = ride.bookings.some(({ id, metBy }) => id === bookingId && metBy === 'passenger');
    if (isMissed(ride, bookingId))
      return one(['missed'], isMet || isProved ? aboardAgain : { metBy: 'driver', may: [] });
    return isProved || isMet
      ? one(meetingStates, { state: 'picked', metBy: null, may: ['dropOff'] })
      : one(['driver reached'], { state: 'picking', metBy: 'driver', may: ['undoMeet'] });
  },
  confirmMeeting: ({ ride, input, bookingId, one }) => {
    if (input['undo'] === true) return one(['picking'], { ...notMet, may: ['meet', 'reportDriver'] });
    if (isMissed(ride, bookingId))
      return one(['missed'], isMetByDriver(ride, bookingId) ? aboardAgain : { metBy: 'passenger', may: [] });
    return isMetByDriver(ride, bookingId)
      ? one(['picking'], { state: 'picked', metBy: null, may: [] })
      : one(['driver reached'], {
          state: 'picking',
          metBy: 'passenger',
          may: ['undoMeet', 'reportDriver'],
        });
  },
  noteContact: ({ one }) => one(['driver reached'], { contacted: true }),
  noShow: ({ one }) => one(['driver reached'], { state: 'missed', may: [] }),
  reportDriver: ({ one }) => one(bookingMoves.reportDriver.from, { state: 'missed', metBy: null, may: [] }),
  arrive: ({ ride, bookingId, one }) => {
    const arrived: Partial<Booking> = { state: 'finished', may: [] };
    if (bookingId !== undefined) return one(['picked'], arrived);
    return { ...withBookings(ride, ({ state }) => state === 'picked', arrived), state: 'finished' };
  },
};

const notMet: Partial<Booking> = { state: 'driver reached', metBy: null, may: ['meet'] };

/** On board after all: the drop-off is on the route again once the server has said so. */
const aboardAgain: Partial<Booking> = { state: 'picked', metBy: null, may: [] };

const isMissed = (ride: Ride, bookingId: string | undefined): boolean =>
  ride.bookings.some(({ id, state }) => id === bookingId && state === 'missed');

const isMetByDriver = (ride: Ride, bookingId: string | undefined): boolean =>
  ride.bookings.some(({ id, metBy }) => id === bookingId && metBy === 'driver');

/** What follows from a step for the ride itself, and what its driver may do then. */
function settled(ride: Ride, before: Ride, nowMs: number): Ride {
  if (ride === before) return ride;
  const coming = ride.bookings.filter(({ state }) => comingStates.includes(state));
  const isAboard = ride.bookings.some(({ state }) => state === 'picked');
  const isAtTheCar = coming.some(({ state }) => meetingStates.includes(state));
  let { state, label } = ride;
  if (pickingUpStates.includes(state)) {
    if (coming.length === 0 && isAboard) state = 'ongoing';
    else if (isAtTheCar) state = 'picking';
  }
  if (state !== before.state) label = state;
  const mayLeave =
    !coming.some(({ boardsAtStart }) => boardsAtStart) &&
    (coming.length === 0 || nowMs >= Date.parse(ride.departsAt) - departEarlyMs);
  const may: Ride['may'] = !ride.mine
    ? []
    : state === 'driver reached'
      ? mayLeave
        ? ['depart']
        : []
      : state === 'ongoing'
        ? ['arrive']
        : pickingUpStates.includes(state) && coming.length === 0
          ? ['endEmpty']
          : [];
  return { ...ride, state, label, may };
}
