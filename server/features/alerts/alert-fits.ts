import type { MatchingService, Offer, PlacedDraft, Verdict } from '../matching/service.ts';
import type { RequestRow, RideRow } from '../orders/service.ts';
import { mayReach } from './rules/reach.ts';
import type * as store from './store.ts';

/** An alert that an order fits, with the verdict. */
export interface Fit {
  alert: store.AlertRow;
  verdict: NonNullable<Verdict>;
}

/**
 * Alerts that a ride fits, each once: in the first of its windows that fits. The straight-line distance rules
 * out what is too far, and matching judges the rest by its own rules.
 * @param pairs the ride with the windows of alerts whose time could fit and whose owners may see it.
 */
export async function fitsOfRide(
  matching: MatchingService,
  ride: RideRow,
  pairs: readonly store.Pair<RideRow>[],
): Promise<Fit[]> {
  const ends = { start: lonLat(ride, 'from'), end: lonLat(ride, 'to') };
  const near = pairs.filter(({ alert }) =>
    mayReach(
      ends,
      { pickup: lonLat(alert, 'from'), dropoff: lonLat(alert, 'to') },
      ride.driveMs + ride.maxDetourMs,
      alert.walkMetres ?? 0,
    ),
  );
  const fits = await matching.fitDrafts(ride, near.map(draftOf));
  return firstOfEach(near, fits);
}

/** The same for a request and the alerts of drivers. */
export async function fitsOfRequest(
  matching: MatchingService,
  request: RequestRow,
  pairs: readonly store.Pair<RequestRow>[],
): Promise<Fit[]> {
  const wish = { pickup: lonLat(request, 'from'), dropoff: lonLat(request, 'to') };
  const near = pairs.filter(({ alert }) =>
    mayReach(
      { start: lonLat(alert, 'from'), end: lonLat(alert, 'to') },
      wish,
      alert.driveMs + (alert.maxDetourMs ?? 0),
      request.walkMetres,
    ),
  );
  const fits = await matching.fitOffers(request, near.map(offerOf));
  return firstOfEach(near, fits);
}

type Place<End extends 'from' | 'to'> = Record<`${End}Lon` | `${End}Lat`, number>;
const lonLat = <End extends 'from' | 'to'>(of: Place<End>, end: End) => ({
  lon: of[`${end}Lon`],
  lat: of[`${end}Lat`],
});

const draftOf = ({ alert, earliestAt, latestAt }: store.Pair<RideRow>): PlacedDraft => ({
  from: lonLat(alert, 'from'),
  to: lonLat(alert, 'to'),
  earliestAt,
  latestAt,
  seats: alert.seats,
  offerCents: alert.offerCents,
  walkMetres: alert.walkMetres ?? 0,
  preferences: alert,
  pickupSpots: alert.pickupSpots,
  dropoffSpots: alert.dropoffSpots,
  driveMs: alert.driveMs,
});

const offerOf = ({ alert, earliestAt, latestAt }: store.Pair<RequestRow>): Offer => ({
  from: lonLat(alert, 'from'),
  to: lonLat(alert, 'to'),
  drive: driveOf(alert),
  earliestAt,
  latestAt,
  seats: alert.seats,
  maxDetourMs: alert.maxDetourMs ?? 0,
  priceKind: alert.priceKind ?? 'perPerson',
  costCents: alert.costCents ?? 0,
  preferences: alert,
});

const driveOf = ({ driveMs, driveMetres, estimated }: store.AlertRow) => ({
  milliseconds: driveMs,
  metres: driveMetres,
  estimated,
});

function firstOfEach(pairs: readonly { alert: store.AlertRow }[], fits: readonly Verdict[]): Fit[] {
  const found = new Map<string, Fit>();
  for (const [index, { alert }] of pairs.entries()) {
    const verdict = fits[index];
    if (verdict && !found.has(alert.id)) found.set(alert.id, { alert, verdict });
  }
  return [...found.values()];
}
