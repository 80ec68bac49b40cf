import type { Platform } from '../../platform/platform.ts';
import type { MatchingService, Offer, PlacedDraft, Verdict } from '../matching/service.ts';
import type { RequestRow, RideRow } from '../orders/service.ts';
import { mayReach } from './rules/reach.ts';
import * as store from './store.ts';

interface Found {
  alert: store.AlertRow;
  verdict: NonNullable<Verdict>;
}

/**
 * Which alerts an order fits: the tables narrow to those whose time could fit and whose owners may see the order, the
 * crow's flight leaves out what is too far, and matching decides the rest by its own rules.
 */
export function createAlertMatches({ db, transact, clock, outbox }: Platform, matching: MatchingService) {
  /** Alerts that a ride fits, each once: in the first of its windows that fits. */
  async function fitsOfRide(ride: RideRow, pairs: readonly store.Pair<RideRow>[]): Promise<Found[]> {
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

  async function fitsOfRequest(
    request: RequestRow,
    pairs: readonly store.Pair<RequestRow>[],
  ): Promise<Found[]> {
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

  /**
   * Writes down what an order fits now: new hits once, those that it fits no more as gone, in one transaction.
   * @param at when the order changed; to an alert saved since then it is no news.
   * @returns the alerts that have a new hit.
   */
  async function keep(
    of: { rideId: string } | { requestId: string },
    at: Date,
    found: readonly Found[],
  ): Promise<string[]> {
    const now = clock.now();
    return transact(async (tx) => {
      const held = await store.holdAlerts(
        tx,
        found.map(({ alert }) => alert.id),
      );
      // An alert deleted meanwhile has no hits.
      const standing = found.filter(({ alert }) => held.has(alert.id));
      const fresh = await store.keepHits(
        tx,
        standing.map((each) => ({
          ...hitOf(each, now),
          ...of,
          letteredAt: at <= each.alert.createdAt ? now : null,
        })),
      );
      await store.loseHits(
        tx,
        of,
        standing.map(({ alert }) => alert.id),
        now,
      );
      const told = standing.filter(({ alert }) => fresh.has(alert.id)).map(({ alert }) => alert);
      // What stood before an alert was saved is before its owner's eyes.
      for (const { id, ownerId, role, createdAt } of told)
        if (at > createdAt) await outbox.emit(tx, 'alert.hit', { alertId: id, ownerId, role }, ownerId);
      for (const { id, ownerId } of told)
        await outbox.tell(tx, [ownerId], { topic: 'alert', id, news: 'alert.hit' });
      return told.map(({ id }) => id);
    });
  }

  return {
    /** A ride is new or has changed, at this instant. */
    async rideChanged(rideId: string, at: Date): Promise<string[]> {
      const pairs = await store.ridePairs(db, { rideId }, clock.now());
      const [first] = pairs;
      return keep({ rideId }, at, first === undefined ? [] : await fitsOfRide(first.order, pairs));
    },

    async requestChanged(requestId: string, at: Date): Promise<string[]> {
      const pairs = await store.requestPairs(db, { requestId }, clock.now());
      const [first] = pairs;
      return keep({ requestId }, at, first === undefined ? [] : await fitsOfRequest(first.order, pairs));
    },

    /** Notes what stood already when an alert was saved. No email tells of it: its owner is looking at it. */
    async alertSaved(alertId: string): Promise<void> {
      const now = clock.now();
      const alert = await store.alertById(db, alertId);
      if (alert === null) return;
      const hits: store.NewHit[] = [];
      // An order published since then may come by here before its own signal does: that one is news.
      const letteredAt = ({ createdAt }: RideRow | RequestRow) => (createdAt <= alert.createdAt ? now : null);
      if (alert.role === 'passenger') {
        for (const pairs of byOrder(await store.ridePairs(db, { alertId }, now))) {
          const ride = pairs[0]!.order;
          for (const found of await fitsOfRide(ride, pairs))
            hits.push({ ...hitOf(found, now), rideId: ride.id, letteredAt: letteredAt(ride) });
        }
      } else {
        for (const pairs of byOrder(await store.requestPairs(db, { alertId }, now))) {
          const request = pairs[0]!.order;
          for (const found of await fitsOfRequest(request, pairs))
            hits.push({ ...hitOf(found, now), requestId: request.id, letteredAt: letteredAt(request) });
        }
      }
      if (hits.length === 0) return;
      await transact(async (tx) => {
        if (!(await store.holdAlerts(tx, [alertId])).has(alertId)) return;
        // The soonest last: found last, it stands first in the list.
        const fresh = await store.keepHits(
          tx,
          hits.toSorted((a, b) => b.pickupAt.getTime() - a.pickupAt.getTime()),
        );
        const { id, ownerId, role } = alert;
        // Its own signal finds it standing here, and would tell no one.
        const isNews = fresh.has(id) && hits.some((hit) => hit.letteredAt === null);
        if (isNews) await outbox.emit(tx, 'alert.hit', { alertId: id, ownerId, role }, ownerId);
        await outbox.tell(tx, [ownerId], { topic: 'alert', id, news: isNews ? 'alert.hit' : null });
      });
    },
  };
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

function firstOfEach(pairs: readonly { alert: store.AlertRow }[], fits: readonly Verdict[]): Found[] {
  const found = new Map<string, Found>();
  for (const [index, { alert }] of pairs.entries()) {
    const verdict = fits[index];
    if (verdict && !found.has(alert.id)) found.set(alert.id, { alert, verdict });
  }
  return [...found.values()];
}

function byOrder<O extends { id: string }>(pairs: readonly store.Pair<O>[]): store.Pair<O>[][] {
  return [...Map.groupBy(pairs, ({ order }) => order.id).values()];
}

const hitOf = ({ alert, verdict: { choice, fareCents } }: Found, now: Date) => ({
  alertId: alert.id,
  pickupAt: new Date(choice.pickupMs),
  dropoffAt: new Date(choice.dropoffMs),
  fareCents,
  detourMs: Math.max(0, choice.detourMs),
  foundAt: now,
});
