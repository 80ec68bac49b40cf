import type { Preferences } from '#contract/rides/preferences.ts';
import type { Travel } from '#roads/graph/network.ts';
import { draftWish, type PlacedDraft } from './draft-wish.ts';
import type { MatchingContext } from './context.ts';
import type { Verdict } from './engine/entries.ts';
import { planOf } from './pair.ts';
import { planAlone } from './rules/plan.ts';
import { maskOf } from './rules/preferences.ts';
import { roundedPlan, roundedWish } from './rules/rounding.ts';
import * as store from './store.ts';

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
 * How one ride fits each of these wishes, in order; null where it does not. By the ride's rounded places:
 * wishes are private and free to send.
 */
export async function fitDrafts(
  context: MatchingContext,
  ride: store.RideRow,
  drafts: readonly PlacedDraft[],
): Promise<Verdict[]> {
  const { db, clock, geo, roads, index, orders } = context;
  const [exact, joined] = await Promise.all([planOf(context, db, ride), orders.joinedSeats(db, [ride.id])]);
  const { priceKind, costCents } = ride;
  const plan = roundedPlan(exact, roads.betweenRounded);
  const offer = { plan, priceKind, costCents, joinedSeats: joined.get(ride.id) ?? 0 };
  return inTurns(drafts, (some) =>
    index.judge({
      kind: 'ridePairs',
      nowMs: clock.now().getTime(),
      ride: offer,
      wishes: some.map((draft) => ({ wish: draftWish(geo, draft), offerCents: draft.offerCents })),
    }),
  );
}

/**
 * How one request fits each of these offers, in order; null where it does not. By the request's rounded
 * places, likewise.
 */
export function fitOffers(
  { clock, geo, roads, index }: MatchingContext,
  request: store.RequestRow,
  offers: readonly Offer[],
): Promise<Verdict[]> {
  const { offerCents } = request;
  const wish = roundedWish(store.wishOf(request), roads.spotsOfRounded);
  return inTurns(offers, (some) => {
    const rides = some.map((offer) => ({
      plan: planAlone({
        ...offer,
        preferences: maskOf(offer.preferences),
        earliestDepartsMs: offer.earliestAt.getTime(),
        latestDepartsMs: offer.latestAt.getTime(),
        trafficPermille: geo.trafficPermilleAt(offer.from, offer.earliestAt),
      }),
      priceKind: offer.priceKind,
      costCents: offer.costCents,
      joinedSeats: 0,
    }));
    return index.judge({ kind: 'wishPairs', nowMs: clock.now().getTime(), wish, offerCents, rides });
  });
}

/** Pairs judged before the index answers another question: some milliseconds. */
const turn = 50;

async function inTurns<T, R>(list: readonly T[], work: (some: T[]) => Promise<R[]>): Promise<R[]> {
  const done: R[] = [];
  for (let from = 0; from < list.length; from += turn)
    done.push(...(await work(list.slice(from, from + turn))));
  return done;
}
