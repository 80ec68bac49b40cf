import { blockedWith } from '../contacts/queries.ts';
import type { MatchingContext } from './context.ts';
import { draftWish, type Draft, type PlacedDraft } from './draft-wish.ts';
import type { Answer, Asker, Hit } from './engine/entries.ts';
import { planOf } from './pair.ts';
import {
  everything,
  mostRanked,
  rankFits,
  type Around,
  type FitRow,
  type Listed,
  type Part,
} from './rank-fits.ts';
import { roundedPlan } from './rules/rounding.ts';
import type { Wish } from './rules/wish.ts';
import * as store from './store.ts';

/** More than are shown: the viewer may not see some of them. */
const nearMissesAsked = 10;

/** The request of a search, and its passenger. */
interface Looker {
  wish: Wish;
  /** Null for a guest. */
  passengerId: string | null;
  /** Null before it is published. */
  request: store.RequestRow | null;
  offerCents: number | null;
  women: boolean;
  /** Judges rides by their rounded places; the insertion of each fit is computed on those. */
  byRounded: boolean;
}

/** Rides that fit a published request, best first. */
export function ridesForRequest(
  context: MatchingContext,
  request: store.RequestRow,
  part: Part,
): Promise<Around> {
  return ridesFor(context, lookerOf(request), part);
}

function lookerOf(request: store.RequestRow): Looker {
  const { passengerId, offerCents, women } = request;
  return { wish: store.wishOf(request), passengerId, request, offerCents, women, byRounded: false };
}

/**
 * Rides that fit an unpublished request, best first. Empty where its places cannot be reached.
 * @param by.isRounded judges by the rides' rounded places: a draft is free to send, so its fit must reveal
 *   nothing about a door. False only for the server's own use, never shown to a person.
 */
export function ridesForDraft(
  context: MatchingContext,
  draft: Draft,
  by: { viewerId: string | null; isRounded: boolean },
  part: Part,
): Promise<Around> {
  const { platform, roads, spotsNear } = context;
  const direct = roads.travel(draft.from, draft.to);
  if (direct === null) return Promise.resolve({ fits: [], total: 0, nearMisses: [] });
  const wish = draftWish(platform, {
    ...draft,
    pickupMeetingPoints: spotsNear(draft.from, draft.walkMetres),
    dropoffMeetingPoints: spotsNear(draft.to, draft.walkMetres),
    driveMs: direct.milliseconds,
  });
  const { offerCents } = draft;
  const { women } = draft.preferences;
  const looker = { wish, passengerId: by.viewerId, request: null, offerCents, women };
  return ridesFor(context, { ...looker, byRounded: by.isRounded }, part);
}

/**
 * The rides that fit each of several requests of a person, by the rides' rounded places: the best 500 for
 * each. It does not check the rides' audiences.
 */
export async function ridesForDrafts(
  context: MatchingContext,
  drafts: readonly PlacedDraft[],
  passengerId: string,
): Promise<Hit[][]> {
  const lookers = drafts.map((draft) => ({
    wish: draftWish(context.platform, draft),
    passengerId,
    offerCents: draft.offerCents,
    byRounded: true,
  }));
  return (await searches(context, lookers, everything)).map(({ hits }) => hits);
}

/**
 * Rides that fit each of several published requests, best first. One search goes after another, so that those
 * of people are answered between them; everything else is read for all at once.
 */
export async function ridesForRequests(
  context: MatchingContext,
  requests: readonly store.RequestRow[],
  part: Part,
): Promise<Around[]> {
  const { db, clock, orders } = context;
  const lookers = requests.map(lookerOf);
  const answers = await searches(context, lookers, part);
  const pairs = answers.flatMap((answer, at) =>
    idsOf(answer).map((rideId) => ({ rideId, requestId: requests[at]!.id })),
  );
  const seen = Map.groupBy(await orders.pairsToOffer(db, pairs, clock.now()), ({ requestId }) => requestId);
  const lists = answers.map((answer, at) =>
    listedOf(
      lookers[at]!,
      answer,
      (seen.get(requests[at]!.id) ?? []).map(({ rideId: id, personId }) => ({ id, personId })),
    ),
  );
  return rankFits(context, lists, part, {
    side: 'driver',
    whole: (rideIds) => rideRows(context, rideIds, lookers),
  });
}

async function ridesFor(context: MatchingContext, looker: Looker, part: Part): Promise<Around> {
  const { db, clock, orders } = context;
  const { passengerId, request, women } = looker;
  const [answer] = await searches(context, [looker], part);
  const requestId = request?.id ?? null;
  const of = { rideIds: idsOf(answer!), passengerId, requestId, women, now: clock.now() };
  const listed = listedOf(looker, answer!, await orders.visibleRides(db, of));
  const [around] = await rankFits(context, [listed], part, {
    side: 'driver',
    whole: (rideIds) => rideRows(context, rideIds, [looker]),
  });
  return around!;
}

const listedOf = ({ passengerId, request, women }: Looker, answer: Answer, seen: Listed['seen']): Listed => ({
  answer,
  viewerId: passengerId,
  isPublic: !women && (request === null || request.visibility === 'all users'),
  seen,
});

/** The rides that the index finds for each request. */
async function searches(
  context: MatchingContext,
  lookers: readonly Pick<Looker, 'wish' | 'passengerId' | 'offerCents' | 'byRounded'>[],
  { near }: Part,
): Promise<Answer[]> {
  const askers = await askersOf(
    context,
    lookers.map(({ passengerId }) => passengerId),
    near,
  );
  return context.index.askInTurn(
    lookers.map(({ wish, offerCents, byRounded }, at) => ({
      kind: 'ridesFor',
      wish,
      offerCents,
      asker: askers[at]!,
      byRounded,
    })),
  );
}

/** The rows of some rides for each request. */
async function rideRows(
  { db, roads, orders }: MatchingContext,
  rideIds: readonly (readonly string[])[],
  lookers: readonly Looker[],
): Promise<Map<string, FitRow>[]> {
  const rows = await orders.ridesByIds(db, [...new Set(rideIds.flat())]);
  const [plans, joined] = await Promise.all([
    store.plansOf(db, orders, rows),
    orders.joinedSeats(
      db,
      rows.map(({ id }) => id),
    ),
  ]);
  const rides = new Map(rows.map((ride) => [ride.id, ride]));
  return lookers.map(({ wish, offerCents, byRounded }, at) => {
    const own = rideIds[at]!.flatMap((id) => rides.get(id) ?? []);
    return new Map(
      own.map((ride) => {
        const joinedSeats = joined.get(ride.id) ?? 0;
        const exact = plans.get(ride.id)!;
        const plan = byRounded ? roundedPlan(exact, roads.betweenRounded) : exact;
        return [ride.id, { ride, plan, request: null, wish, offerCents, joinedSeats }];
      }),
    );
  });
}

/** Requests that fit a ride, best first. */
export async function requestsForRide(
  context: MatchingContext,
  ride: store.RideRow,
  part: Part,
): Promise<Around> {
  const { db, clock, index, orders } = context;
  const [plan, joined] = await Promise.all([planOf(context, db, ride), orders.joinedSeats(db, [ride.id])]);
  const joinedSeats = joined.get(ride.id) ?? 0;
  const { driverId, priceKind, costCents } = ride;
  const [asker] = await askersOf(context, [driverId], part.near);
  const offered = { driverId, plan, priceKind, costCents, joinedSeats };
  const answer = await index.ask({ kind: 'requestsFor', ride: offered, asker: asker! });
  const listed: Listed = {
    answer,
    viewerId: driverId,
    isPublic: ride.visibility === 'all users' && !ride.women,
    seen: await orders.visibleRequests(db, { ride, requestIds: idsOf(answer), now: clock.now() }),
  };
  const [around] = await rankFits(context, [listed], part, {
    side: 'passenger',
    async whole(requestIds) {
      const rows = await orders.requestsByIds(db, requestIds.flat());
      const fitRow = (request: store.RequestRow): FitRow => {
        const { offerCents } = request;
        return { ride, plan, request, wish: store.wishOf(request), offerCents, joinedSeats };
      };
      return [new Map(rows.map((request) => [request.id, fitRow(request)]))];
    },
  });
  return around!;
}

/** What a question tells the index of each viewer; null is a guest. */
async function askersOf(
  { db, clock }: MatchingContext,
  viewerIds: readonly (string | null)[],
  near: boolean,
): Promise<Asker[]> {
  const hidden = await blockedWith(
    db,
    viewerIds.filter((id) => id !== null),
  );
  return viewerIds.map((id) => ({
    nowMs: clock.now().getTime(),
    hidden: id === null ? [] : [id, ...(hidden.get(id) ?? [])],
    most: mostRanked,
    nearMisses: near ? nearMissesAsked : 0,
  }));
}

const idsOf = ({ hits, nearMisses }: Answer): string[] =>
  [...hits, ...nearMisses.map(({ hit }) => hit)].map(({ id }) => id);
