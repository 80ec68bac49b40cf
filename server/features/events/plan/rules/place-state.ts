import type { placeStates } from '#contract/events/plan.ts';
import {
  failedStates,
  openAskStates,
  openRequestStates,
  openRideStates,
  seatedStates,
  type BookingState,
  type RequestState,
  type RideState,
} from '#contract/rides/moves.ts';

type PlaceState = (typeof placeStates)[number];

/** The state of a proposed place, by the bookings of its two people and the states of their orders. */
export function placeState(
  state: PlaceState,
  of: { bookings: readonly BookingState[]; ride: RideState; request: RequestState },
): PlaceState {
  const { bookings, ride, request } = of;
  const any = (...states: readonly BookingState[]) => bookings.some((booking) => states.includes(booking));
  if (state === 'declined' || state === 'gone') return state;
  if (any(...seatedStates, 'finished', 'missed')) return 'taken';
  if (state === 'taken') return 'gone';
  if (any(...openAskStates)) return 'open';
  if (any(...failedStates)) return 'declined';
  return openRideStates.includes(ride) && openRequestStates.includes(request) ? 'open' : 'gone';
}
