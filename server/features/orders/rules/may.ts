import type { MoveOf } from '#contract/define.ts';
import {
  bookingMoves,
  comingStates,
  departEarlyMs,
  endedRideStates,
  gatherBeforeMs,
  meetingStates,
  onTheWayRideStates,
  openRideStates,
  requestMoves,
  rideMoves,
  type Actor,
  type BookingMove,
  type BookingState,
  type RequestMove,
  type RequestState,
  type RideMove,
  type RideState,
} from '#contract/rides/moves.ts';

export const minuteMs = 60_000;
/** A ride without passengers ends this long after its latest departure. */
export const unjoinedEndsAfterMs = 30 * minuteMs;
/** A ride without further moves ends by itself this long after it should have left, or arrived. */
export const abandonedAfterMs = 180 * minuteMs;
/** How long after the agreed time a passenger waits to report a driver who has not said to be there. */
export const driverLateMs = 15 * minuteMs;
/** A pick-up this soon after the start counts as at the start. */
export const boardsAtStartMs = 60_000;
const longTripMetres = 80_467; // 50 miles

export interface BookingFacts {
  state: BookingState;
  awaits: 'answer' | 'payment' | null;
  metBy: 'driver' | 'passenger' | null;
  pickupAt: Date;
  reachedAt: Date | null;
  /** Both sides are asked whether they rode: fees and strikes wait for their answers. */
  isUnclear: boolean;
  /** The driver has tried to contact the passenger since reaching the pick-up. */
  isContacted: boolean;
  boardsAtStart: boolean;
}

export interface RideFacts {
  state: RideState;
  departsAt: Date;
  driveMetres: number;
  startsAtAirport: boolean;
  bookings: readonly BookingFacts[];
}

const allowed = <State extends string>(
  rule: { actors: readonly Actor[]; from: readonly State[] | null },
  actor: Actor,
  state: State,
) => rule.actors.includes(actor) && (rule.from?.includes(state) ?? false);

/** How long the driver waits at a pick-up: 5 minutes, 10 on trips over 50 miles, 30 at an airport. */
export function waitMs(ride: Pick<RideFacts, 'driveMetres' | 'startsAtAirport'>): number {
  if (ride.startsAtAirport) return 30 * minuteMs;
  return (ride.driveMetres > longTripMetres ? 10 : 5) * minuteMs;
}

/**
 * From when a passenger who does not come may be marked: after the wait, counted from the agreed time or the
 * arrival, whichever is later.
 */
export function noShowFrom(
  ride: Pick<RideFacts, 'driveMetres' | 'startsAtAirport'>,
  booking: Pick<BookingFacts, 'pickupAt' | 'reachedAt'>,
): Date | null {
  if (booking.reachedAt === null) return null;
  return new Date(Math.max(booking.reachedAt.getTime(), booking.pickupAt.getTime()) + waitMs(ride));
}

/** The moves of a ride that its driver may make now. */
export function mayMoveRide(ride: RideFacts, now: Date): RideMove[] {
  const { bookings } = ride;
  const none = (...states: BookingState[]) => !bookings.some((booking) => states.includes(booking.state));
  const startIsClear = !bookings.some(
    (booking) => booking.boardsAtStart && comingStates.includes(booking.state),
  );
  const allPicked = none(...comingStates);
  const guards: Record<MoveOf<typeof rideMoves, 'driver'>, boolean> = {
    reach: now.getTime() >= ride.departsAt.getTime() - gatherBeforeMs,
    depart: startIsClear && (allPicked || now.getTime() >= ride.departsAt.getTime() - departEarlyMs),
    arrive: true,
    endEmpty: none(...comingStates, 'picked'),
    cancel: !bookings.some(({ isUnclear }) => isUnclear),
    // Refused with no passenger left to drive: such a ride is simply over.
    breakOff: !none(...comingStates, 'picked'),
  };
  return moveNames(rideMoves).filter(
    (move) => has(guards, move) && guards[move] && allowed(rideMoves[move], 'driver', ride.state),
  );
}

/** The moves of a booking that one of its two sides may make now. */
export function mayMoveBooking(
  ride: RideFacts,
  booking: BookingFacts,
  actor: 'driver' | 'passenger',
  now: Date,
): BookingMove[] {
  const onTheWay = onTheWayRideStates.includes(ride.state);
  const underWay = onTheWay || ride.state === 'driver reached';
  const ended = endedRideStates.includes(ride.state);
  const missingFrom = noShowFrom(ride, booking);
  const guards: Record<MoveOf<typeof bookingMoves, 'driver' | 'passenger'>, boolean> = {
    accept: openRideStates.includes(ride.state),
    acceptInvitation: booking.awaits !== 'payment' && openRideStates.includes(ride.state),
    pay: booking.awaits === 'payment',
    reject: true,
    declineInvitation: true,
    withdraw: true,
    withdrawInvitation: true,
    cancel: !ended && !booking.isUnclear,
    reach: onTheWay && !booking.boardsAtStart,
    meet: true,
    board: booking.metBy !== actor,
    undoMeet: true,
    noShow: !booking.isUnclear && booking.isContacted && missingFrom !== null && now >= missingFrom,
    meetLate: underWay && booking.metBy === null,
    boardLate: underWay && booking.metBy !== null && booking.metBy !== actor,
    // A driver who says to be there, or to have met the passenger, is contradicted at once.
    reportDriver:
      !booking.isUnclear &&
      (meetingStates.includes(booking.state) || now.getTime() >= booking.pickupAt.getTime() + driverLateMs),
    dropOff: onTheWay,
    // They follow from another command: an answer, an ask for an instant ride, an interruption.
    agree: false,
    joinAtOnce: false,
    breakOff: false,
  };
  return moveNames(bookingMoves).filter(
    (move) => has(guards, move) && guards[move] && allowed(bookingMoves[move], actor, booking.state),
  );
}

/** The moves of a request that its passenger may make. */
export const mayMoveRequest = (
  state: RequestState,
  joined: BookingState | null,
  isUnclear = false,
): RequestMove[] =>
  !isUnclear &&
  allowed(requestMoves.cancel, 'passenger', state) &&
  (joined === null || !['picking', 'picked'].includes(joined))
    ? ['cancel']
    : [];

const moveNames = <M extends object>(moves: M) => Object.keys(moves) as (keyof M & string)[];

const has = <M extends object>(guards: M, move: PropertyKey): move is keyof M => Object.hasOwn(guards, move);
