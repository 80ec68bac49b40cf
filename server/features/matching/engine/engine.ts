import { fingerprintOf, keptCells } from '#roads/graph/cells-cache.ts';
import { buildCells, type RoadCells } from '#roads/graph/cells.ts';
import { createEstimateNetwork } from '#roads/graph/estimate.ts';
import { createRoadNetwork } from '#roads/graph/graph-network.ts';
import type { LandPolygons, RoadGraph } from '#roads/graph/graph.ts';
import { timeHierarchy, type TimeHierarchy } from '#roads/search/time-arcs.ts';
import { keptTimes } from '#roads/search/times-cache.ts';
import { roundedPlan, roundedTravel } from '../rules/rounding.ts';
import type { Wish } from '../rules/wish.ts';
import type { Answer, Asker, PairVerdict, RequestEntry, RideEntry, Verdict } from './entries.ts';
import { idAt, KeptWishes, type KeyedWish } from './kept-wishes.ts';
import { Places } from './places.ts';
import { RequestIndex } from './request-index.ts';
import { RideIndex } from './ride-index.ts';
import { readSnapshot, writeSnapshot, type SnapshotFacts } from './snapshot.ts';

/** Data derived from the roads that searches need; computed from the graph where it is missing. */
export interface DerivedRoads {
  cells?: RoadCells | undefined;
  times?: TimeHierarchy | undefined;
}

/** The roads as passed to another thread: typed arrays over shared memory, nothing is copied. */
export interface EngineRoads extends DerivedRoads {
  /** Null where no region is loaded. */
  shared: { graph: RoadGraph; lands: readonly LandPolygons[] } | null;
  /** The files that cache the derived data between starts. */
  files?: RoadFiles;
}

export interface RoadFiles {
  cells: string;
  times: string;
}

export type Change =
  | { kind: 'ride'; ride: RideEntry }
  | { kind: 'request'; request: RequestEntry }
  | { kind: 'gone'; id: string };

export type Ask =
  | {
      kind: 'ridesFor';
      wish: Wish;
      offerCents: number | null;
      asker: Asker;
      /** Judged by the rides' rounded places: a fit then reveals nothing about a driver's door. */
      byRounded?: boolean;
    }
  | { kind: 'requestsFor'; ride: Omit<RideEntry, 'id' | 'isPublic'>; asker: Asker };

/** Pairs outside any index: one order against a list, in order. */
export type PairAsk =
  | {
      kind: 'ridePairs';
      nowMs: number;
      ride: RideOffer;
      /** Cached by their keys: one that was given before need not be given again. */
      wishes: readonly KeyedWish[];
    }
  | { kind: 'wishPairs'; nowMs: number; wish: Wish; offerCents: number | null; rides: readonly RideOffer[] };
export type RideOffer = Pick<RideEntry, 'plan' | 'priceKind' | 'costCents' | 'joinedSeats'>;

/** A file, and the database of the orders in it. */
export interface SnapshotPlace {
  file: string;
  /** Tells apart databases, their runs and the parts of their orders. */
  database: string;
}

/** The contents of the index. */
export interface Census {
  rides: number;
  requests: number;
  /** Bytes of its arrays. */
  bytes: number;
  /** Milliseconds spent so far on applying changes. */
  takingMs: number;
}

/** The roads with all that is derived of them, read from the files for it or stored there. */
export async function withDerived(roads: EngineRoads): Promise<EngineRoads> {
  const { shared, cells, times, files } = roads;
  if (shared === null || files === undefined) return roads;
  const { graph } = shared;
  return {
    ...roads,
    cells: cells ?? (await keptCells(graph, files.cells)),
    times: times ?? (await keptTimes(graph, files.times)),
  };
}

/** The index of all open orders. Runs in a thread of its own and knows no database. */
export class Engine {
  private readonly places: Places;
  readonly rides: RideIndex;
  readonly requests: RequestIndex;
  private readonly wishes: KeptWishes;
  private takingMs = 0;
  private readonly fingerprint: string;

  constructor({ shared, cells, times }: EngineRoads) {
    this.places =
      shared === null
        ? new Places(createEstimateNetwork(), null)
        : new Places(createRoadNetwork(shared.graph, { lands: shared.lands }), {
            graph: shared.graph,
            cells: cells ?? buildCells(shared.graph),
            times: times ?? timeHierarchy(shared.graph),
          });
    this.fingerprint = shared === null ? 'no roads' : fingerprintOf(shared.graph);
    this.rides = new RideIndex(this.places);
    this.requests = new RequestIndex(this.places);
    this.wishes = new KeptWishes(this.places);
  }

  take(changes: readonly Change[]): void {
    const beganAt = performance.now();
    for (const change of changes) {
      if (change.kind === 'ride') this.rides.put(change.ride);
      else if (change.kind === 'request') this.requests.put(change.request);
      else {
        this.rides.drop(change.id);
        this.requests.drop(change.id);
      }
    }
    this.takingMs += performance.now() - beganAt;
  }

  answer(ask: Ask): Answer {
    if (ask.kind === 'requestsFor') return this.requests.find(ask.ride, ask.asker);
    const { wish, offerCents, asker } = ask;
    return (ask.byRounded === true ? this.rounded(wish, asker.nowMs) : this.rides).find(
      wish,
      offerCents,
      asker,
    );
  }

  /** The rides around a request with their places rounded, in an index of their own. */
  private rounded(wish: Wish, nowMs: number): RideIndex {
    const travel = roundedTravel((from, to) => this.places.travel(from, to));
    const rides = new RideIndex(this.places);
    for (const ride of this.rides.around(wish, nowMs))
      rides.put({ ...ride, plan: roundedPlan(ride.plan, travel) });
    return rides;
  }

  /**
   * Judges a list by the bounds and rules of an index: rides in a temporary one, requests in a cached one.
   */
  judge(ask: PairAsk): PairVerdict[] {
    const whoever = { nowMs: ask.nowMs, hidden: [], nearMisses: 0 };
    if (ask.kind === 'wishPairs') {
      const rides = new RideIndex(this.places);
      const ids = ask.rides.map((_, i) => idAt(i));
      ask.rides.forEach((ride, i) => rides.put({ ...ride, id: ids[i]!, driverId: '', isPublic: true }));
      const asker = { ...whoever, most: ids.length };
      return inOrder(rides.find(ask.wish, ask.offerCents, asker), ids);
    }
    const { index, ids } = this.wishes.take(ask.wishes);
    const among = ids.filter((id) => id !== null);
    if (among.length === 0) return inOrder(null, ids);
    const asker = { ...whoever, most: among.length };
    return inOrder(index.find({ ...ask.ride, driverId: '' }, asker, among), ids);
  }

  /** Writes all that the index holds to a file. What is taken in meanwhile is not in it. */
  save({ file, database, facts }: SnapshotPlace & { facts: SnapshotFacts }): Promise<void> {
    return writeSnapshot(file, this, { source: `${this.fingerprint} ${database}`, facts });
  }

  /** Fills an empty index from a file; null, and still empty, where that is not possible. */
  load({ file, database }: SnapshotPlace): Promise<SnapshotFacts | null> {
    return readSnapshot(file, this, `${this.fingerprint} ${database}`);
  }

  census(): Census {
    return {
      rides: this.rides.size,
      requests: this.requests.size,
      bytes: this.rides.part.bytes + this.requests.part.bytes,
      takingMs: this.takingMs,
    };
  }
}

/** The verdict on each id of a list; one without an id is not known. */
function inOrder(answer: Answer | null, ids: readonly (string | null)[]): PairVerdict[] {
  const found = new Map<string, Verdict>(
    answer?.hits.map(({ id, choice, fareCents }) => [id, { choice, fareCents }]),
  );
  return ids.map((id) => (id === null ? 'unknown' : (found.get(id) ?? null)));
}
