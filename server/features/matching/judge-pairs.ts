import type { Preferences } from '#contract/rides/preferences.ts';
import type { Travel } from '#roads/graph/network.ts';
import type { App } from '../../app-type.ts';
import { trafficPermilleAt } from '../geo/service.ts';
import { draftWish, type PlacedDraft } from './draft-wish.ts';
import type { PairVerdict, Verdict } from './engine/entries.ts';
import type { KeyedWish } from './engine/kept-wishes.ts';
import { planOf } from './pair.ts';
import { planAlone } from './rules/plan.ts';
import { maskOf } from './rules/preferences.ts';
import { roundedPlan, roundedWish } from './rules/rounding.ts';
import * as store from './store.ts';
import type { RequestRow, RideRow } from './ports.ts';

/** A driver's unpublished ride, without passengers. */
export interface Offer {
  from: { lon: number; lat: number };
  to: { lon: number; lat: number };
  /** The free drive. */
  drive: Travel;
  earliestAt: Date;
  latestAt: Date;
  seats: number;
  maxDetourMs: number;
  priceKind: 'perPerson' | 'perCar';
  costCents: number;
  preferences: Preferences;
}

/**
 * The fit of one ride with each of these requests, in order; null where it does not fit. By the ride's
 * rounded places: drafts are private and free to send.
 * @param keys one for each request: under a key a request is always the same
 * @param draftsOf reads requests by their keys, in any order; one that is gone is left out. Only those are
 *   read that the index has not cached from an earlier ride
 */
export async function fitDrafts(
  app: App,
  ride: RideRow,
  keys: readonly string[],
  draftsOf: (keys: readonly string[]) => Promise<ReadonlyMap<string, PlacedDraft>>,
): Promise<Verdict[]> {
  const { db, matching } = app;
  if (keys.length === 0) return [];
  const [exact, joined] = await Promise.all([
    planOf(app, db, ride),
    app.ports.matching.joinedSeats(db, [ride.id]),
  ]);
  const { priceKind, costCents } = ride;
  const plan = roundedPlan(exact, matching.roads.betweenRounded);
  const offer = { plan, priceKind, costCents, joinedSeats: joined.get(ride.id) ?? 0 };
  const judge = (wishes: readonly KeyedWish[]) =>
    matching.index.judge({ kind: 'ridePairs', nowMs: app.clock.now().getTime(), ride: offer, wishes });
  const verdicts = await judge(keys.map((key) => ({ key })));
  const unknown = keys.filter((_, i) => verdicts[i] === 'unknown');
  const judged = await inTurns(unknown, newWishesAtOnce, async (some) => {
    const drafts = await draftsOf(some);
    const wishes = some.map((key) => givenBy(key, drafts.get(key), app));
    return judge(wishes);
  });
  const late = new Map(unknown.map((key, i) => [key, judged[i]]));
  return keys.map((key, i) => knownOf(verdicts[i] === 'unknown' ? late.get(key) : verdicts[i]));
}

const givenBy = (key: string, draft: PlacedDraft | undefined, app: App): KeyedWish =>
  draft === undefined
    ? { key }
    : { key, given: { wish: draftWish(app, draft), offerCents: draft.offerCents } };

/** A request that is gone fits nothing. */
const knownOf = (verdict: PairVerdict | undefined): Verdict =>
  verdict === undefined || verdict === 'unknown' ? null : verdict;

/**
 * The fit of one request with each of these offers, in order; null where it does not fit. By the request's
 * rounded places, likewise.
 */
export async function fitOffers(app: App, request: RequestRow, offers: readonly Offer[]): Promise<Verdict[]> {
  const { matching } = app;
  const { offerCents } = request;
  const wish = roundedWish(store.wishOf(request), matching.roads.spotsOfRounded);
  const verdicts = await inTurns(offers, offersAtOnce, (some) => {
    const rides = some.map((offer) => ({
      plan: planAlone({
        ...offer,
        preferences: maskOf(offer.preferences),
        earliestDepartsMs: offer.earliestAt.getTime(),
        latestDepartsMs: offer.latestAt.getTime(),
        trafficPermille: trafficPermilleAt(app, offer.from, offer.earliestAt),
      }),
      priceKind: offer.priceKind,
      costCents: offer.costCents,
      joinedSeats: 0,
    }));
    return matching.index.judge({
      kind: 'wishPairs',
      nowMs: app.clock.now().getTime(),
      wish,
      offerCents,
      rides,
    });
  });
  return verdicts.map(knownOf);
}

/**
 * Maximum requests that the index takes in before it answers another question: some milliseconds of work
 * each.
 */
const newWishesAtOnce = 50;
const offersAtOnce = 500;

async function inTurns<T, R>(
  list: readonly T[],
  atOnce: number,
  work: (some: T[]) => Promise<R[]>,
): Promise<R[]> {
  const done: R[] = [];
  for (let from = 0; from < list.length; from += atOnce)
    done.push(...(await work(list.slice(from, from + atOnce))));
  return done;
}
