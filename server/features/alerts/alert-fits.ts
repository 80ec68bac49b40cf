import type { App } from '../../app-type.ts';
import {
  type Offer,
  type PlacedDraft,
  type Verdict,
  fitDrafts,
  ridesForDrafts,
  fitOffers,
} from '../matching/service.ts';
import type { RequestRow, RideRow } from '../orders/service.ts';
import { mayReach } from './rules/reach.ts';
import type { Window } from './rules/windows.ts';
import type * as store from './store.ts';

/** An alert that an order fits, with the verdict. */
export interface Fit {
  alertId: string;
  verdict: NonNullable<Verdict>;
}

/** Reads alerts by their ids; one that is gone is left out. */
type ReadAlerts = (ids: readonly string[]) => Promise<ReadonlyMap<string, store.AlertRow>>;

/** A window of an alert, and where the alert leads. */
type NearWindow = Omit<store.NearWindow, 'orderId'>;

/**
 * Alerts that a ride fits, each once: in the first of its windows that fits. The straight-line distance rules
 * out what is too far, and matching judges the rest by its own rules.
 * @param windows of alerts whose place and time could fit, the earliest first
 */
export async function fitsOfRide(
  app: App,
  ride: RideRow,
  windows: readonly NearWindow[],
  readAlerts: ReadAlerts,
): Promise<Fit[]> {
  const ends = { start: lonLat(ride, 'from'), end: lonLat(ride, 'to') };
  const near = windows.filter((window) =>
    mayReach(
      ends,
      { pickup: lonLat(window, 'from'), dropoff: lonLat(window, 'to') },
      ride.driveMs + ride.maxDetourMs,
      window.walkMetres ?? 0,
    ),
  );
  const byKey = new Map(near.map((window) => [keyOf(window), window]));
  const draftsOf = async (keys: readonly string[]): Promise<Map<string, PlacedDraft>> => {
    const read = await readAlerts(keys.map((key) => byKey.get(key)!.alertId));
    const drafts = new Map<string, PlacedDraft>();
    for (const key of keys) {
      const window = byKey.get(key)!;
      const alert = read.get(window.alertId);
      if (alert !== undefined) drafts.set(key, draftOf(alert, window));
    }
    return drafts;
  };
  const fits = await fitDrafts(app, ride, [...byKey.keys()], draftsOf);
  return firstOfEach([...byKey.values()], fits);
}

/**
 * The open rides that an alert of a passenger fits, the best 500 in each of its windows: each by its id, in
 * the first of the windows that fits. It does not check the rides' audiences.
 * @param windows of the alert, the earliest first
 */
export async function ridesThatFit(
  app: App,
  alert: store.AlertRow,
  windows: readonly Window[],
): Promise<Map<string, NonNullable<Verdict>>> {
  const drafts = windows.map((window) => draftOf(alert, window));
  const found = new Map<string, NonNullable<Verdict>>();
  for (const hits of await ridesForDrafts(app, drafts, alert.ownerId))
    for (const hit of hits) if (!found.has(hit.id)) found.set(hit.id, hit);
  return found;
}

/** An alert is never changed: its window always means the same request. */
const keyOf = ({ alertId, earliestAt }: NearWindow): string => `${alertId} ${earliestAt.getTime()}`;

/** The same for a request and the alerts of drivers. */
export async function fitsOfRequest(
  app: App,
  request: RequestRow,
  windows: readonly NearWindow[],
  readAlerts: ReadAlerts,
): Promise<Fit[]> {
  if (windows.length === 0) return [];
  const wish = { pickup: lonLat(request, 'from'), dropoff: lonLat(request, 'to') };
  const read = await readAlerts(windows.map(({ alertId }) => alertId));
  const near = windows.flatMap((window) => {
    const alert = read.get(window.alertId);
    if (alert === undefined) return [];
    const ends = { start: lonLat(alert, 'from'), end: lonLat(alert, 'to') };
    const mostMs = alert.driveMs + (alert.maxDetourMs ?? 0);
    return mayReach(ends, wish, mostMs, request.walkMetres) ? [{ window, alert }] : [];
  });
  const offers = near.map(({ alert, window }) => offerOf(alert, window));
  const fits = await fitOffers(app, request, offers);
  return firstOfEach(
    near.map(({ window }) => window),
    fits,
  );
}

type Place<End extends 'from' | 'to'> = Record<`${End}Lon` | `${End}Lat`, number>;
const lonLat = <End extends 'from' | 'to'>(of: Place<End>, end: End) => ({
  lon: of[`${end}Lon`],
  lat: of[`${end}Lat`],
});

const draftOf = (alert: store.AlertRow, { earliestAt, latestAt }: Window): PlacedDraft => ({
  from: lonLat(alert, 'from'),
  to: lonLat(alert, 'to'),
  earliestAt,
  latestAt,
  seats: alert.seats,
  offerCents: alert.offerCents,
  walkMetres: alert.walkMetres ?? 0,
  preferences: alert,
  pickupMeetingPoints: alert.pickupMeetingPoints,
  dropoffMeetingPoints: alert.dropoffMeetingPoints,
  driveMs: alert.driveMs,
});

const offerOf = (alert: store.AlertRow, { earliestAt, latestAt }: Window): Offer => ({
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

function firstOfEach(windows: readonly NearWindow[], fits: readonly Verdict[]): Fit[] {
  const found = new Map<string, Fit>();
  for (const [index, { alertId }] of windows.entries()) {
    const verdict = fits[index];
    if (verdict && !found.has(alertId)) found.set(alertId, { alertId, verdict });
  }
  return [...found.values()];
}

/** The stored columns of a fit, apart from the order. */
export const hitOf = ({ alertId, verdict: { choice, fareCents } }: Fit, now: Date) => ({
  alertId,
  pickupAt: new Date(choice.pickupMs),
  dropoffAt: new Date(choice.dropoffMs),
  fareCents,
  detourMs: Math.max(0, choice.detourMs),
  foundAt: now,
});
