import {
  seatedStates,
  type BookingState,
  type RequestMove,
  type RequestState,
  type RideMove,
  type RideState,
} from '#contract/rides/moves.ts';
import { gatherBeforeMs } from './may.ts';

/** What a ride must do next by itself, given its bookings, or null when it rests. */
export function nextRideMove(
  ride: { state: RideState; departsAt: Date; seats: number; seatsTaken: readonly number[] },
  bookings: readonly BookingState[],
  now: Date,
): RideMove | null {
  const any = (...states: BookingState[]) => bookings.some((state) => states.includes(state));
  const joined = bookings.some((state) => seatedStates.includes(state));
  // A ride is full when no stretch has a free seat; a seat that is free on one stretch still serves somebody.
  const full = ride.seatsTaken.length > 0 && ride.seatsTaken.every((taken) => taken >= ride.seats);
  switch (ride.state) {
    case 'matching':
    case 'full': {
      const dayHasCome = now.getTime() >= ride.departsAt.getTime() - gatherBeforeMs;
      if (dayHasCome && joined) return 'gather';
      if (ride.state === 'matching' && full) return 'fill';
      return ride.state === 'full' && !full ? 'reopen' : null;
    }
    case 'waiting':
      return !joined && now < ride.departsAt ? 'ungather' : null;
    case 'departed':
    case 'picking':
      if (!any('joined', 'waiting', 'driver reached', 'picking') && any('picked')) return 'carryOn';
      return ride.state === 'departed' && any('driver reached', 'picking') ? 'approach' : null;
    default:
      return null;
  }
}

/** What a request must do next by itself, given its bookings, or null when it rests. */
export function nextRequestMove(
  state: RequestState,
  bookings: readonly { state: BookingState; fault: 'driver' | 'passenger' | null }[],
): RequestMove | null {
  const has = (...states: BookingState[]) => bookings.some((booking) => states.includes(booking.state));
  switch (state) {
    case 'matching':
    case 'requesting':
    case 'inviting':
      if (has(...seatedStates)) return 'join';
      // An invitation waits for the passenger, an ask for the driver: what needs the passenger shows first.
      if (has('inviting', 'waiting for passenger acceptance')) return state === 'inviting' ? null : 'invited';
      if (has('requesting')) return state === 'requesting' ? null : 'asked';
      return state === 'matching' ? null : 'unanswered';
    case 'joined': {
      if (has(...seatedStates)) return null;
      if (has('finished')) return 'finish';
      if (has('waiting for passenger acceptance')) return 'reconfirm';
      // A passenger's own cancel or no-show ends the request as well; a driver's opens it again.
      const own = bookings.find((booking) => booking.fault === 'passenger');
      if (own === undefined) return 'rematch';
      return own.state === 'missed' ? 'miss' : 'cancel';
    }
    default:
      return null;
  }
}
