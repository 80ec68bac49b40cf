import type { App } from '../../app-type.ts';
import { blockedWith } from '../contacts/queries.ts';
import { draftWish, type Draft, type PlacedDraft } from './draft-wish.ts';
import type { Answer, Asker, Hit } from './engine/entries.ts';
import { planOf } from './pair.ts';
import type { RequestRow, RideRow } from './ports.ts';
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
  request: RequestRow | null;
  offerCents: number | null;
  women: boolean;
  /** Judges rides by their rounded places; the insertion of each fit is computed on those. */
  byRounded: boolean;
}

/** Rides that fit a published request, best first. */
export function ridesForRequest(app: App, request: RequestRow, part: Part): Promise<Around> {
  return ridesFor(app, lookerOf(request), part);
}

function lookerOf(request: RequestRow): Looker {
  const { passengerId, offerCents, women } = request;
  return { wish: store.wishOf(request), passengerId, request, offerCents, women, byRounded: false };
}

/**
 * Rides that fit an unpublished request, best first. Empty where its places cannot be reached.
 * @param by.isRounded judges by the rides' rounded places: a draft is free to send, so its fit must reveal
 *   nothing about a door. False only for the server's own use, never shown to a person.
 */
export function ridesForDraft(
  app: App,
  draft: Draft,
  by: { viewerId: string | null; isRounded: boolean },
  part: Part,
): Promise<Around> {
  const { matching } = app;
  const direct = matching.roads.travel(draft.from, draft.to);
  if (direct === null) return Promise.resolve({ fits: [], total: 0, nearMisses: [] });
  const wish = draftWish(app, {
    ...draft,
    pickupMeetingPoints: matching.spotsNear(draft.from, draft.walkMetres),
    dropoffMeetingPoints: matching.spotsNear(draft.to, draft.walkMetres),
    driveMs: direct.milliseconds,
  });
  const { offerCents } = draft;
  const { women } = draft.preferences;
  const looker = { wish, passengerId: by.viewerId, request: null, offerCents, women };
  return ridesFor(app, { ...looker, byRounded: by.isRounded }, part);
}

/**
 * The rides that fit each of several requests of a person, by the rides' rounded places: the best 500 for
 * each. It does not check the rides' audiences.
 */
export async function ridesForDrafts(
  app: App,
  drafts: readonly PlacedDraft[],
  passengerId: string,
): Promise<Hit[][]> {
  const lookers = drafts.map((draft) => ({
    wish: draftWish(app, draft),
    passengerId,
    offerCents: draft.offerCents,
    byRounded: true,
  }));
  return (await searches(app, lookers, everything)).map(({ hits }) => hits);
}

/**
 * Rides that fit each of several published requests, best first. One search goes after another, so that those
 * of people are answered between them; everything else is read for all at once.
 */
export async function ridesForRequests(
  app: App,
  requests: readonly RequestRow[],
  part: Part,
): Promise<Around[]> {
  const lookers = requests.map(lookerOf);
  const answers = await searches(app, lookers, part);
  const pairs = answers.flatMap((answer, at) =>
    idsOf(answer).map((rideId) => ({ rideId, requestId: requests[at]!.id })),
  );
  const seen = Map.groupBy(
    await app.ports.matching.pairsToOffer(app.db, pairs, app.clock.now()),
    ({ requestId }) => requestId,
  );
  const lists = answers.map((answer, at) =>
    listedOf(
      lookers[at]!,
      answer,
      (seen.get(requests[at]!.id) ?? []).map(({ rideId: id, personId }) => ({ id, personId })),
    ),
  );
  return rankFits(app, lists, part, {
    side: 'driver',
    whole: (rideIds) => rideRows(app, rideIds, lookers),
  });
}

async function ridesFor(app: App, looker: Looker, part: Part): Promise<Around> {
  const { passengerId, request, women } = looker;
  const [answer] = await searches(app, [looker], part);
  const requestId = request?.id ?? null;
  const of = { rideIds: idsOf(answer!), passengerId, requestId, women, now: app.clock.now() };
  const listed = listedOf(looker, answer!, await app.ports.matching.visibleRides(app.db, of));
  const [around] = await rankFits(app, [listed], part, {
    side: 'driver',
    whole: (rideIds) => rideRows(app, rideIds, [looker]),
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
  app: App,
  lookers: readonly Pick<Looker, 'wish' | 'passengerId' | 'offerCents' | 'byRounded'>[],
  { near }: Part,
): Promise<Answer[]> {
  const askers = await askersOf(
    app,
    lookers.map(({ passengerId }) => passengerId),
    near,
  );
  return app.matching.index.askInTurn(
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
  app: App,
  rideIds: readonly (readonly string[])[],
  lookers: readonly Looker[],
): Promise<Map<string, FitRow>[]> {
  const { ports, db } = app;
  const rows = await ports.matching.ridesByIds(db, [...new Set(rideIds.flat())]);
  const [plans, joined] = await Promise.all([
    store.plansOf(db, ports.matching, rows),
    ports.matching.joinedSeats(
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
        const plan = byRounded ? roundedPlan(exact, app.matching.roads.betweenRounded) : exact;
        return [ride.id, { ride, plan, request: null, wish, offerCents, joinedSeats }];
      }),
    );
  });
}

/** Requests that fit a ride, best first. */
export async function requestsForRide(app: App, ride: RideRow, part: Part): Promise<Around> {
  const { db, ports } = app;
  const [plan, joined] = await Promise.all([
    planOf(app, db, ride),
    ports.matching.joinedSeats(db, [ride.id]),
  ]);
  const joinedSeats = joined.get(ride.id) ?? 0;
  const { driverId, priceKind, costCents } = ride;
  const [asker] = await askersOf(app, [driverId], part.near);
  const offered = { driverId, plan, priceKind, costCents, joinedSeats };
  const answer = await app.matching.index.ask({ kind: 'requestsFor', ride: offered, asker: asker! });
  const listed: Listed = {
    answer,
    viewerId: driverId,
    isPublic: ride.visibility === 'all users' && !ride.women,
    seen: await ports.matching.visibleRequests(db, {
      ride,
      requestIds: idsOf(answer),
      now: app.clock.now(),
    }),
  };
  const [around] = await rankFits(app, [listed], part, {
    side: 'passenger',
    async whole(requestIds) {
      const rows = await ports.matching.requestsByIds(db, requestIds.flat());
      const fitRow = (request: RequestRow): FitRow => {
        const { offerCents } = request;
        return { ride, plan, request, wish: store.wishOf(request), offerCents, joinedSeats };
      };
      return [new Map(rows.map((request) => [request.id, fitRow(request)]))];
    },
  });
  return around!;
}

/** The facts of each viewer that a question passes to the index; null is a guest. */
async function askersOf(app: App, viewerIds: readonly (string | null)[], near: boolean): Promise<Asker[]> {
  const hidden = await blockedWith(
    app.db,
    viewerIds.filter((id) => id !== null),
  );
  return viewerIds.map((id) => ({
    nowMs: app.clock.now().getTime(),
    hidden: id === null ? [] : [id, ...(hidden.get(id) ?? [])],
    most: mostRanked,
    nearMisses: near ? nearMissesAsked : 0,
  }));
}

const idsOf = ({ hits, nearMisses }: Answer): string[] =>
  [...hits, ...nearMisses.map(({ hit }) => hit)].map(({ id }) => id);
