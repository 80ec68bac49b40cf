import type { placeStates } from '#contract/events/plan.ts';
import {
  openAskStates,
  seatedStates,
  type BookingState,
  type RequestState,
  type RideState,
} from '#contract/rides/moves.ts';

type PlaceState = (typeof placeStates)[number];

const openRideStates: readonly RideState[] = ['matching', 'full', 'waiting'];
const openRequestStates: readonly RequestState[] = ['matching', 'requesting', 'inviting'];

/** What has become of a proposed place, by the bookings of its two people and the states of their orders. */
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
  if (any('rejected', 'cancel', 'expired')) return 'declined';
  return openRideStates.includes(ride) && openRequestStates.includes(request) ? 'open' : 'gone';
}
