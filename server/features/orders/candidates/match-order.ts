import type { OutputOf } from '#contract/define.ts';
import type * as calls from '#contract/rides/endpoints.ts';
import { searchingStates } from '#contract/rides/moves.ts';
import type { Preferences } from '#contract/rides/preferences.ts';
import type { Candidate, NearMiss } from '#contract/rides/views.ts';
import type { Place } from '#contract/units.ts';
import type { App } from '../../../app-type.ts';
import { approximatePlace } from '../../geo/service.ts';
import {
  ceilingCents,
  type Around,
  type Part,
  searchIndex,
  ridesForRequests,
  requestsForRide,
  ridesForRequest,
  ridesForDraft,
} from '../../matching/service.ts';
import { checkWomen } from '../order-checks.ts';
import { orderNotFound } from '../order-refusals.ts';
import { locateWay } from '../quotes.ts';
import { fromOf } from '../rules/ends.ts';
import type { RequestRow } from '../store.ts';
import { visibleOrder } from '../order-views.ts';
import { viewCandidates, viewEnd, type Wanted } from './view-candidate.ts';

const pageSize = 20;
/** One page; near misses are on the first. */
const pageAt = (offset: number) => ({ offset, limit: pageSize, near: offset === 0 });

/** Candidates for one's own order, best first, 20 at a time. Refuses `order.notFound`. */
export const matchOrder = (
  app: App,
  id: string,
  viewerId: string,
  offset: number,
): Promise<OutputOf<typeof calls.match>> => matchPart(app, id, viewerId, pageAt(offset));

/** One order as it fits one's own; null where it does not, or no longer. Refuses `order.notFound`. */
export async function matchPair(
  app: App,
  id: string,
  otherId: string,
  viewerId: string,
): Promise<OutputOf<typeof calls.matchPair>> {
  const part = { offset: 0, limit: 1, near: false, only: otherId };
  const { candidates } = await matchPart(app, id, viewerId, part);
  return { candidate: candidates[0] ?? null };
}

/** The best few candidates for one's own order, without near misses. Refuses `order.notFound`. */
export const matchFew = async (app: App, id: string, viewerId: string, limit: number): Promise<Candidate[]> =>
  (await matchPart(app, id, viewerId, { offset: 0, limit, near: false })).candidates;

/** A ride that fits a request, as an email to its passenger says it. */
export interface RideToTell {
  rideId: string;
  driverId: string;
  isInstant: boolean;
  pickup: { name: string; at: string };
  /** Where the ride begins, as a person sees it who does not ride along. */
  fromName: string;
  fareCents: number;
}

/** Requests that are searched for and read together: each may be shown hundreds of rides. */
const searchedTogether = 20;

/**
 * The best few rides for each of some requests, by the request's id, for its passenger; none where it is
 * matched or has ended.
 */
export async function ridesToTell(
  app: App,
  requests: readonly RequestRow[],
  limit: number,
): Promise<Map<string, RideToTell[]>> {
  const searching = requests.filter(({ state }) => searchingStates.includes(state));
  if (searching.length > 0) await searchIndex(app).soon();
  const told = new Map<string, RideToTell[]>();
  for (let from = 0; from < searching.length; from += searchedTogether) {
    const some = searching.slice(from, from + searchedTogether);
    const around = await ridesForRequests(app, some, { offset: 0, limit, near: false });
    for (const [at, request] of some.entries()) told.set(request.id, toldOf(app, request, around[at]!));
  }
  return told;
}

function toldOf(app: App, request: RequestRow, { fits }: Around): RideToTell[] {
  const viewer = {
    viewerId: request.passengerId,
    approximate: (place: Place) => approximatePlace(app, place),
  };
  return fits.map((fit): RideToTell => {
    const { ride } = fit;
    return {
      rideId: ride.id,
      driverId: ride.driverId,
      isInstant: ride.instant,
      pickup: viewEnd(viewer, fit, request, 'pickup'),
      fromName: approximatePlace(app, fromOf(ride)).name,
      fareCents: ceilingCents(ride, request.seats, request.offerCents),
    };
  });
}

async function matchPart(
  app: App,
  id: string,
  viewerId: string,
  part: Part,
): Promise<OutputOf<typeof calls.match>> {
  const found = await visibleOrder(app, id, viewerId);
  const owner = 'ride' in found ? found.ride.driverId : found.request.passengerId;
  if (owner !== viewerId) throw orderNotFound();
  const { state } = 'ride' in found ? found.ride : found.request;
  // An order that is full or matched, or has ended, has no candidates.
  if (!searchingStates.includes(state)) return { candidates: [], total: 0, nearMisses: [] };
  await searchIndex(app).soon();
  const side = 'ride' in found ? 'driver' : 'passenger';
  return 'ride' in found
    ? viewPage(app, await requestsForRide(app, found.ride, part), {
        id: viewerId,
        side,
        own: null,
      })
    : viewPage(app, await ridesForRequest(app, found.request, part), {
        id: viewerId,
        side,
        own: found.request,
      });
}

interface Draft {
  from: Place;
  to: Place;
  earliestAt: Date;
  latestAt: Date;
  seats: number;
  offerCents: number | null;
  walkMetres: number;
  preferences: Preferences;
}

/** Rides that fit a request before it is published. Refuses, by field, places that no road connects. */
export async function matchDraft(
  app: App,
  draft: Draft,
  viewerId: string | null,
  offset: number,
): Promise<OutputOf<typeof calls.match>> {
  locateWay(app, draft.from, draft.to, '');
  await checkWomen(app, viewerId, draft.preferences, 'preferences');
  await searchIndex(app).soon();
  const around = await ridesForDraft(app, draft, { viewerId, isRounded: true }, pageAt(offset));
  const { seats, offerCents, preferences } = draft;
  const own = { seats, offerCents, ...preferences };
  return viewPage(app, around, { id: viewerId, side: 'passenger', own });
}

/** One page of candidates; the first also has the near misses. */
async function viewPage(
  app: App,
  { fits, total, nearMisses }: Around,
  viewer: { id: string | null; side: 'driver' | 'passenger'; own: Wanted | null },
): Promise<OutputOf<typeof calls.match>> {
  const shown = [...fits, ...nearMisses.map(({ fit }) => fit)];
  const all = await viewCandidates(app, shown, viewer.id, viewer.own);
  return {
    candidates: all.slice(0, fits.length),
    total,
    nearMisses: nearMisses.map(({ miss }, index): NearMiss => {
      const by = miss.changer === viewer.side ? 'me' : 'other';
      return { ...all[fits.length + index]!, rule: miss.rule, change: miss.change, by };
    }),
  };
}
