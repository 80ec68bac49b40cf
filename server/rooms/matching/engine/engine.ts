import { buildCells, type RoadCells } from '#roads/cells.ts';
import { createEstimateNetwork } from '#roads/estimate.ts';
import { createRoadNetwork } from '#roads/graph-network.ts';
import type { LandPolygons, RoadGraph } from '#roads/graph.ts';
import type { Wish } from '../rules/wish.ts';
import type { Answer, Asker, RequestEntry, RideEntry } from './entries.ts';
import { Places } from './places.ts';
import { RequestIndex } from './request-index.ts';
import { RideIndex } from './ride-index.ts';

/** The roads as another thread is given them: typed arrays over shared memory, nothing is copied. */
export interface EngineRoads {
  /** Null where no region is loaded. */
  shared: { graph: RoadGraph; lands: readonly LandPolygons[] } | null;
  /** Made from the graph where they are not given. */
  cells?: RoadCells;
}

export type Change =
  | { kind: 'ride'; ride: RideEntry }
  | { kind: 'request'; request: RequestEntry }
  | { kind: 'gone'; id: string };

export type Ask =
  | { kind: 'ridesFor'; wish: Wish; offerCents: number | null; asker: Asker }
  | { kind: 'requestsFor'; ride: Omit<RideEntry, 'id' | 'isPublic'>; asker: Asker };

/** What the index holds. */
export interface Census {
  rides: number;
  requests: number;
  labelBytes: number;
}

/** The index of all open orders. Runs in a thread of its own and knows no database. */
export class Engine {
  private readonly rides: RideIndex;
  private readonly requests: RequestIndex;

  constructor({ shared, cells }: EngineRoads) {
    const places =
      shared === null
        ? new Places(createEstimateNetwork(), null, null)
        : new Places(
            createRoadNetwork(shared.graph, { lands: shared.lands }),
            shared.graph,
            cells ?? buildCells(shared.graph),
          );
    this.rides = new RideIndex(places);
    this.requests = new RequestIndex(places);
  }

  take(changes: readonly Change[]): void {
    for (const change of changes) {
      if (change.kind === 'ride') this.rides.put(change.ride);
      else if (change.kind === 'request') this.requests.put(change.request);
      else {
        this.rides.drop(change.id);
        this.requests.drop(change.id);
      }
    }
  }

  answer(ask: Ask): Answer {
    return ask.kind === 'ridesFor'
      ? this.rides.find(ask.wish, ask.offerCents, ask.asker)
      : this.requests.find(ask.ride, ask.asker);
  }

  census(): Census {
    return {
      rides: this.rides.size,
      requests: this.requests.size,
      labelBytes: this.rides.labelBytes + this.requests.labelBytes,
    };
  }
}
