import {
  seatedStates,
  type BookingState,
  type RequestMove,
  type RequestState,
  type RideMove,
  type RideState,
  gatherBeforeMs,
} from '#contract/rides/moves.ts';

/** The next automatic move of a ride, given its bookings; null when there is none. */
export function nextRideMove(
  ride: { state: RideState; departsAt: Date; seats: number; seatsTaken: readonly number[] },
  bookings: readonly BookingState[],
  now: Date,
): RideMove | null {
  const any = (...states: BookingState[]) => bookings.some((state) => states.includes(state));
  const joined = bookings.some((state) => seatedStates.includes(state));
  // A ride is full when no leg has a free seat: a seat free on one leg can still be used.
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

/** The next automatic move of a request, given its bookings; null when there is none. */
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
      // An invitation waits for the passenger, an ask for the driver: the passenger's turn is shown first.
      if (has('inviting', 'waiting for passenger acceptance')) return state === 'inviting' ? null : 'invited';
      if (has('requesting')) return state === 'requesting' ? null : 'asked';
      return state === 'matching' ? null : 'unanswered';
    case 'joined': {
      if (has(...seatedStates)) return null;
      if (has('finished')) return 'finish';
      if (has('waiting for passenger acceptance')) return 'reconfirm';
      // A passenger's own cancellation or no-show ends the request too; a driver's reopens it.
      const own = bookings.find((booking) => booking.fault === 'passenger');
      if (own === undefined) return 'rematch';
      return own.state === 'missed' ? 'miss' : 'cancel';
    }
    default:
      return null;
  }
}
