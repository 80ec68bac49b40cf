import type { App } from '../../app-type.ts';
import { countInCommon, contactsAmong } from '../contacts/service.ts';
import { peopleByIds } from '../identity/service.ts';
import type { Answer, Hit } from './engine/entries.ts';
import { insertAt } from './insert-wish.ts';
import { pairOf, type PairFacts } from './pair.ts';
import type { RequestRow, RideRow } from './ports.ts';
import type { Insertion } from './rules/insertion.ts';
import { withChange, type NearMiss } from './rules/near-miss.ts';
import { personScore, type PersonFacts } from './rules/ranking.ts';
import { tellPair, type Side, type Told } from './tell-pair.ts';

/** A ride and a request that fit, with all facts of the fit. */
export interface Fit {
  ride: RideRow;
  request: RequestRow | null;
  insertion: Insertion;
  /** The part of the pair that the viewer may see. */
  told: Told;
  fareCents: number;
  /** The other person, as the viewer may see them. */
  person: PersonFacts;
  seatsLeft: number;
  score: number;
}

/** A page of fits, their total, and the near misses: each as it would be after its smallest change. */
export interface Around {
  fits: Fit[];
  total: number;
  nearMisses: { fit: Fit; miss: NearMiss }[];
}

/** A part of the ranked list; near misses are searched only on request. */
export interface Part {
  offset: number;
  limit: number;
  near: boolean;
  /** The one ride or request that is asked for; all where it is left out. */
  only?: string;
}

/** The maximum of orders that are ranked by people and listed; all are counted. */
export const mostRanked = 500;
const mostNearMisses = 5;
export const everything: Part = { offset: 0, limit: mostRanked, near: false };

/** A pair with the request where it is published. */
export type FitRow = PairFacts & { request: RequestRow | null };

/** An answer of the index, and the viewer for whom it is ranked. */
export interface Listed {
  answer: Answer;
  viewerId: string | null;
  /** Whether the orders' audience alone decides who sees them. */
  isPublic: boolean;
  /** The orders among the hits and near misses that the viewer may see, with their owners. */
  seen: readonly { id: string; personId: string }[];
}

/** A part of an answer, ranked. */
interface Ranked {
  /** How many hits the viewer may see. */
  hits: readonly Hit[];
  ranked: readonly Hit[];
  near: Answer['nearMisses'];
  factsOf: (hit: Hit) => PersonFacts;
}

/**
 * Ranks answers by people too, and makes the fits of the listed part. What is to be known of people is read
 * for all of them at once, and so are the rows.
 * @param of.side the side of the listed people
 * @param of.whole the current rows of some hits, for each answer
 */
export async function rankFits(
  app: App,
  lists: readonly Listed[],
  part: Part,
  of: {
    side: Side;
    whole(ids: readonly (readonly string[])[]): Promise<readonly ReadonlyMap<string, FitRow>[]>;
  },
): Promise<Around[]> {
  const facts = await personFacts(app, lists, of.side);
  const ranked = lists.map((listed) => rank(listed, part, (id) => facts(listed.viewerId, id)));
  const rows = await of.whole(ranked.map(idsOf));
  return lists.map((listed, at) => aroundOf(app, listed, ranked[at]!, { side: of.side, rows: rows[at]! }));
}

const idsOf = ({ ranked, near }: Ranked): string[] =>
  [...ranked, ...near.map(({ hit }) => hit)].map(({ id }) => id);

function rank({ answer, seen }: Listed, part: Part, facts: (personId: string) => PersonFacts): Ranked {
  const personOf = new Map(seen.map(({ id, personId }) => [id, personId]));
  const factsOf = (hit: Hit) => facts(personOf.get(hit.id)!);
  const { only } = part;
  const hits = answer.hits.filter(({ id }) => personOf.has(id) && (only === undefined || only === id));
  const ranked = byScore(hits, (hit) => hit.score + personScore(factsOf(hit))).slice(
    part.offset,
    part.offset + part.limit,
  );
  const near = answer.nearMisses.filter(({ hit }) => personOf.has(hit.id)).slice(0, mostNearMisses);
  return { hits, ranked, near, factsOf };
}

function aroundOf(
  app: App,
  { answer, isPublic }: Listed,
  { hits, ranked, near, factsOf }: Ranked,
  { side, rows }: { side: Side; rows: ReadonlyMap<string, FitRow> },
): Around {
  const viewer = side === 'driver' ? 'passenger' : 'driver';
  const made = (hit: Hit, miss: NearMiss | null): Fit[] => {
    const row = rows.get(hit.id);
    const about = { viewer, person: factsOf(hit) } as const;
    const fit = row === undefined ? null : fitOf(app, row, { hit, miss }, about);
    return fit === null ? [] : [fit];
  };
  const found = answer.publicCount + answer.restrictedCount;
  return {
    fits: ranked.flatMap((hit) => made(hit, null)),
    // Beyond the listed ones, public orders are counted as the index found them.
    total:
      found <= mostRanked || !isPublic
        ? hits.length
        : answer.publicCount + hits.filter((hit) => !hit.isPublic).length,
    nearMisses: near.flatMap(({ hit, miss }) => made(hit, miss).map((fit) => ({ fit, miss }))),
  };
}

/** By id last, so that equal scores sort the same in every call. */
const byScore = (hits: readonly Hit[], scoreOf: (hit: Hit) => number): Hit[] =>
  hits
    .map((hit) => ({ hit, score: scoreOf(hit) }))
    .toSorted(
      (a, b) =>
        a.score - b.score ||
        a.hit.choice.pickupMs - b.hit.choice.pickupMs ||
        a.hit.id.localeCompare(b.hit.id),
    )
    .map(({ hit }) => hit);

/** One hit with its current rows, or null where it has moved on meanwhile. */
function fitOf(
  app: App,
  row: FitRow,
  { hit, miss }: { hit: Hit; miss: NearMiss | null },
  about: { viewer: Side; person: PersonFacts },
): Fit | null {
  const asItStands = pairOf(app, row);
  const pair = miss === null ? asItStands : withChange(asItStands, miss);
  const { plan, wish } = pair;
  const insertion = insertAt(app.matching.roads, plan, wish, hit.choice);
  if (insertion === null) return null;
  const { person } = about;
  const stretch = plan.stops.slice(insertion.pickupAfter, insertion.dropoffAfter + 1);
  return {
    ride: row.ride,
    request: row.request,
    insertion,
    fareCents: pair.fareCentsOf(wish.seats),
    told: tellPair(app, about.viewer, { plan, wish }, insertion),
    person,
    seatsLeft: plan.seats - wish.seats - Math.max(...stretch.map((stop) => stop.seatsTaken)),
    score: hit.score + personScore(person),
  };
}

/** The viewers' facts of the people of the orders that they may see. */
async function personFacts(
  app: App,
  lists: readonly Listed[],
  side: 'driver' | 'passenger',
): Promise<(viewerId: string | null, id: string) => PersonFacts> {
  const { db } = app;
  const ids = [...new Set(lists.flatMap(({ seen }) => seen.map(({ personId }) => personId)))];
  const viewerIds = [...new Set(lists.flatMap(({ viewerId }) => viewerId ?? []))];
  const [people, common, known, answers] = await Promise.all([
    peopleByIds(app, ids),
    countInCommon(db, viewerIds, ids),
    contactsAmong(db, viewerIds, ids),
    app.ports.matching.answersOf(db, side, ids),
  ]);
  const commonOf = new Map(common.map(({ viewerId, otherId, size }) => [`${viewerId} ${otherId}`, size]));
  const pairs = new Set(known.map(({ ownerId, otherId }) => `${ownerId} ${otherId}`));
  return (viewerId, id) => ({
    rating: people.get(id)?.rating ?? null,
    verifiedDriver: people.get(id)?.verifiedDriver ?? false,
    isContact: pairs.has(`${viewerId} ${id}`),
    contactsInCommon: commonOf.get(`${viewerId} ${id}`) ?? 0,
    asked: answers.get(id)?.asked ?? 0,
    accepted: answers.get(id)?.accepted ?? 0,
  });
}
