import { failedStates } from '#contract/rides/moves.ts';
import { noPreferences, type Preferences } from '#contract/rides/preferences.ts';
import type { Candidate } from '#contract/rides/views.ts';
import type { App } from '../../../app-type.ts';
import { ceilingCents, leastShareCents, type Fit } from '../../matching/service.ts';
import { fromOf, toOf } from '../rules/ends.ts';
import { reasonsOf, savedCo2Grams } from '../rules/reasons.ts';
import type { BookingRow, RequestRow } from '../store.ts';
import { loadViewContext } from '../view-context.ts';
import { viewBooking, viewRequest, viewRide, type ViewContext } from '../view.ts';

/** The passenger's side: their request, or a draft of one. */
export type Wanted = RequestRow | ({ seats: number; offerCents: number | null } & Preferences);

const preferencesOf = ({ pets, luggage, quiet, women }: Preferences): Preferences => ({
  pets,
  luggage,
  quiet,
  women,
});

/**
 * Views of the rides and requests that fit, in the order of the fits.
 *
 * @param own the viewer's request or draft, where the viewer is a passenger
 */
export async function viewCandidates(
  app: App,
  fits: readonly Fit[],
  viewerId: string | null,
  own: Wanted | null,
): Promise<Candidate[]> {
  const ownRequest = own !== null && 'id' in own ? own : null;
  const requests = [
    ...fits.flatMap((fit) => fit.request ?? []),
    ...(ownRequest === null ? [] : [ownRequest]),
  ];
  const views = await loadViewContext(
    app,
    {
      rides: fits.map((fit) => fit.ride),
      requests: [...new Map(requests.map((row) => [row.id, row])).values()],
    },
    viewerId,
  );
  return fits.map((fit) =>
    viewCandidate(views, fit, { request: fit.request ?? ownRequest, wanted: fit.request ?? own }),
  );
}

/**
 * @param of the request that the ride fits, null for a draft; and the passenger's seats, offer and
 *   preferences
 */
function viewCandidate(
  views: ViewContext,
  fit: Fit,
  of: { request: RequestRow | null; wanted: Wanted | null },
): Candidate {
  const { ride, told } = fit;
  const { request, wanted } = of;
  const [pickup, dropoff] = [viewEnd(views, fit, request, 'pickup'), viewEnd(views, fit, request, 'dropoff')];
  const { detourMs, detourMetres, directMetres } = told;
  const seats = wanted?.seats ?? 1;
  const offerCents = wanted?.offerCents ?? null;
  const fareCents = ceilingCents(ride, seats, offerCents);
  const booking = request === null ? undefined : openBooking(views, ride.id, request.id);
  return {
    ride: viewRide(views, ride),
    request: fit.request === null ? null : viewRequest(views, fit.request),
    pickup,
    dropoff,
    departsAt: new Date(told.departsMs).toISOString(),
    arrivesAt: new Date(told.arrivesMs).toISOString(),
    detourSeconds: detourMs / 1000,
    detourMetres,
    fareCents,
    leastCents: leastShareCents(ride, { seats, ceiling: fareCents, seatsInAll: ride.seats }),
    savedCo2Grams: savedCo2Grams(directMetres, detourMetres),
    reasons: reasonsOf({
      detourMs,
      detourMetres,
      directMetres,
      fareCents,
      walkMetres: pickup.walkMetres + dropoff.walkMetres,
      seats,
      offerCents,
      ride: preferencesOf(ride),
      request: wanted === null ? noPreferences : preferencesOf(wanted),
      seatsLeft: fit.seatsLeft,
      ...fit.person,
    }),
    booking: booking === undefined ? null : viewBooking(views, booking),
  };
}

/** The latest booking of a request on a ride that has not failed. */
const openBooking = (views: ViewContext, rideId: string, requestId: string): BookingRow | undefined =>
  (views.bookingsByRequest.get(requestId) ?? []).findLast(
    (booking) => booking.rideId === rideId && !failedStates.includes(booking.state),
  );

/**
 * Where and when the passenger would get in or out: exact for the passenger and for a guest's draft,
 * approximate for a driver.
 */
export function viewEnd(
  { viewerId, approximate }: Pick<ViewContext, 'viewerId' | 'approximate'>,
  { insertion, told }: Fit,
  request: RequestRow | null,
  end: 'pickup' | 'dropoff',
): Candidate['pickup'] {
  const exact = request === null || request.passengerId === viewerId;
  const spot = exact ? insertion[end] : told[end];
  const isDoor = exact ? insertion[`${end}Spot`] === 0 : told[end].atDoor;
  const place =
    isDoor && request !== null
      ? (end === 'pickup' ? fromOf : toOf)(request)
      : { name: spot.name, detail: '', lon: spot.lon, lat: spot.lat };
  const at = new Date(end === 'pickup' ? told.pickupMs : told.dropoffMs).toISOString();
  const { walkMetres } = spot;
  return { ...(exact ? place : approximate(place)), approximate: !exact, at, walkMetres };
}
