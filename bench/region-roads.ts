import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LonLat } from '../roads/graph/geometry.ts';
import { createRoadNetwork } from '../roads/graph/graph-network.ts';
import type { RoadGraph } from '../roads/graph/graph.ts';
import { loadRoadGraph } from '../roads/graph/load.ts';
import type { RoadLabel, RoadNetwork, RoadPoint, Route, Travel } from '../roads/graph/network.ts';
import { loadWalkGraph } from '../roads/walk/walk-load.ts';
import { createWalkNetwork, type WalkNetwork } from '../roads/walk/walk-network.ts';
import type { Drives } from '../server/features/matching/rules/insertion.ts';
import type { Plan } from '../server/features/matching/rules/plan.ts';
import type { Wish } from '../server/features/matching/rules/wish.ts';

/**
 * The path of a shipped region's extract, or of a file that is given itself. Only the pack of Santa Cruz
 * keeps workplaces in its extract. To draw commuters of another region, give its original file.
 */
export const extractOf = (region: string): string =>
  region.endsWith('.pbf') ? region : `regions/${region}/roads.osm.pbf`;

/** A region's roads and paths, built from its extract for one measurement. */
export interface RegionRoads {
  graph: RoadGraph;
  roads: Roads;
  walks: WalkNetwork;
}

/** Builds roads and paths from an extract without leaving anything behind. */
export async function buildRegionRoads(pbfFile: string): Promise<RegionRoads> {
  const cacheFolder = mkdtempSync(join(tmpdir(), 'sameway-roads-'));
  try {
    const graph = await loadRoadGraph({ pbfFile, cacheFolder });
    const walks = createWalkNetwork(await loadWalkGraph({ pbfFiles: [pbfFile], roads: graph, cacheFolder }));
    return { graph, roads: new Roads(createRoadNetwork(graph)), walks };
  } finally {
    rmSync(cacheFolder, { recursive: true, force: true });
  }
}

interface Place {
  point: RoadPoint;
  from: RoadLabel;
  to: RoadLabel;
}

/** Drives between the same places again and again: each place is set on the road and labeled once. */
export class Roads {
  readonly network: RoadNetwork;
  private readonly places = new Map<string, Place>();
  /** The drives from pick-up to drop-off, the same for every plan. */
  private readonly direct = new WeakMap<Wish, Drives['direct']>();

  constructor(network: RoadNetwork) {
    this.network = network;
  }

  /** @throws when no road leads from the one to the other: benchmarks draw places that roads join. */
  travel(from: LonLat, to: LonLat): Travel {
    const found = this.network.meet(this.place(from).from, this.place(to).to);
    if (found === null) throw new Error('no road joins two drawn places');
    return found;
  }

  route(from: LonLat, to: LonLat): Route {
    const found = this.network.route(this.place(from).point, this.place(to).point);
    if (found === null) throw new Error('no road joins two drawn places');
    return found;
  }

  /** The drives between a plan's stops and a request's meeting points. */
  drives(plan: Plan, wish: Wish): Drives {
    const stops = plan.stops.map((stop) => this.place(stop));
    const pickups = wish.pickups.map((spot) => this.place(spot));
    const dropoffs = wish.dropoffs.map((spot) => this.place(spot));
    // Each drive is asked for again and again, by the positions of the other end.
    const kept = (from: readonly Place[], to: readonly Place[]) => {
      const times = new Float64Array(from.length * to.length).fill(-1);
      return (i: number, j: number): number => {
        const at = i * to.length + j;
        if (times[at]! < 0) times[at] = this.network.meet(from[i]!.from, to[j]!.to)?.milliseconds ?? Infinity;
        return times[at]!;
      };
    };
    const direct = this.direct.get(wish) ?? kept(pickups, dropoffs);
    this.direct.set(wish, direct);
    return {
      toPickup: kept(stops, pickups),
      fromPickup: kept(pickups, stops),
      toDropoff: kept(stops, dropoffs),
      fromDropoff: kept(dropoffs, stops),
      direct,
    };
  }

  private place(at: LonLat): Place {
    const key = `${at.lon},${at.lat}`;
    const known = this.places.get(key);
    if (known !== undefined) return known;
    const point = this.network.snap(at);
    if (point === null) throw new Error(`no road is near ${key}`);
    const place = {
      point,
      from: this.network.label(point, 'from'),
      to: this.network.label(point, 'to'),
    };
    this.places.set(key, place);
    return place;
  }
}
