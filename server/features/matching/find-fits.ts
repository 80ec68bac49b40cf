import { draftWish, type Draft } from './draft-wish.ts';
import type { MatchingContext } from './context.ts';
import type { Answer, Asker } from './engine/entries.ts';
import { spotsNear } from './meeting-points.ts';
import { planOf } from './pair.ts';
import { mostRanked, rankFits, type Around, type FitRow, type Part } from './rank-fits.ts';
import { roundedPlan } from './rules/rounding.ts';
import type { Wish } from './rules/wish.ts';
import * as store from './store.ts';
import { blockedWith } from '../contacts/queries.ts';

/** More than are shown: the viewer may not see some of them. */
const nearMissesAsked = 10;

/** The wish of a search, and its passenger. */
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
  const { passengerId, offerCents, women } = request;
  const wish = store.wishOf(request);
  return ridesFor(context, { wish, passengerId, request, offerCents, women, byRounded: false }, part);
}

/**
 * Rides that fit an unpublished wish, best first. Empty where its places cannot be reached.
 * @param by.isRounded judges by the rides' rounded places: a draft is free to send, so its fit must reveal
 *   nothing about a door. False only for the server's own use, never shown to a person.
 */
export function ridesForDraft(
  context: MatchingContext,
  draft: Draft,
  by: { viewerId: string | null; isRounded: boolean },
  part: Part,
): Promise<Around> {
  const { geo, roads } = context;
  const direct = roads.travel(draft.from, draft.to);
  if (direct === null) return Promise.resolve({ fits: [], total: 0, nearMisses: [] });
  const wish = draftWish(geo, {
    ...draft,
    pickupSpots: spotsNear(geo, draft.from, draft.walkMetres),
    dropoffSpots: spotsNear(geo, draft.to, draft.walkMetres),
    driveMs: direct.milliseconds,
  });
  const { offerCents } = draft;
  const { women } = draft.preferences;
  const looker = { wish, passengerId: by.viewerId, request: null, offerCents, women };
  return ridesFor(context, { ...looker, byRounded: by.isRounded }, part);
}

async function ridesFor(context: MatchingContext, looker: Looker, part: Part): Promise<Around> {
  const { db, clock, index, orders } = context;
  const { wish, passengerId, request, offerCents, women, byRounded } = looker;
  const asker = await askerOf(context, passengerId, part.near);
  const answer = await index.ask({ kind: 'ridesFor', wish, offerCents, asker, byRounded });
  const requestId = request?.id ?? null;
  const now = clock.now();
  return rankFits(context, answer, part, {
    viewerId: passengerId,
    side: 'driver',
    isPublic: !women && (request === null || request.visibility === 'all users'),
    seen: await orders.visibleRides(db, { rideIds: idsOf(answer), passengerId, requestId, women, now }),
    whole: (rideIds) => rideRows(context, rideIds, looker),
  });
}

async function rideRows(
  { db, roads, orders }: MatchingContext,
  rideIds: readonly string[],
  { wish, offerCents, byRounded }: Looker,
): Promise<Map<string, FitRow>> {
  const rows = await orders.ridesByIds(db, rideIds);
  const [plans, joined] = await Promise.all([
    store.plansOf(db, orders, rows),
    orders.joinedSeats(db, rideIds),
  ]);
  return new Map(
    rows.map((ride) => {
      const joinedSeats = joined.get(ride.id) ?? 0;
      const exact = plans.get(ride.id)!;
      const plan = byRounded ? roundedPlan(exact, roads.betweenRounded) : exact;
      return [ride.id, { ride, plan, request: null, wish, offerCents, joinedSeats }];
    }),
  );
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
  const asker = await askerOf(context, driverId, part.near);
  const offered = { driverId, plan, priceKind, costCents, joinedSeats };
  const answer = await index.ask({ kind: 'requestsFor', ride: offered, asker });
  return rankFits(context, answer, part, {
    viewerId: driverId,
    side: 'passenger',
    isPublic: ride.visibility === 'all users' && !ride.women,
    seen: await orders.visibleRequests(db, { ride, requestIds: idsOf(answer), now: clock.now() }),
    async whole(requestIds) {
      const rows = await orders.requestsByIds(db, requestIds);
      return new Map(
        rows.map((request) => {
          const { offerCents } = request;
          return [request.id, { ride, plan, request, wish: store.wishOf(request), offerCents, joinedSeats }];
        }),
      );
    },
  });
}

async function askerOf(
  { db, clock }: MatchingContext,
  viewerId: string | null,
  near: boolean,
): Promise<Asker> {
  return {
    nowMs: clock.now().getTime(),
    hidden: viewerId === null ? [] : [viewerId, ...(await blockedWith(db, viewerId))],
    most: mostRanked,
    nearMisses: near ? nearMissesAsked : 0,
  };
}

const idsOf = ({ hits, nearMisses }: Answer): string[] =>
  [...hits, ...nearMisses.map(({ hit }) => hit)].map(({ id }) => id);
