import path from 'node:path';
import { crc32 } from 'node:zlib';
import { secondMs } from '../../platform/clock.ts';
import type { Env } from '../../platform/env.ts';
import type { Log } from '../../platform/observability/log.ts';
import type { GaugeSource } from '../../platform/observability/metrics.ts';
import type { Platform } from '../../platform/platform.ts';
import { Assigner } from './assignment/client.ts';
import { createSpotsNear, type RegionRoads, type SpotsNear } from './meeting-points.ts';
import { OrderIndex } from './order-index.ts';
import type { MatchingPorts } from './ports.ts';
import { ordersOfRegions, ownPart } from './processes/own-regions.ts';
import { RemoteIndex } from './processes/remote-index.ts';
import { createRoadTimes, type RoadTimes } from './road-times.ts';
import type { SearchIndex } from './search-index.ts';

/** State of this feature that lives as long as the process. */
export interface MatchingState {
  roads: RoadTimes;
  spotsNear: SpotsNear;
  /** The open orders that this process holds. */
  own: OrderIndex;
  /** What this process asks: matching processes where there are some, else its own index. */
  index: SearchIndex;
  assigner: Assigner;
}

/** Opens the index of open orders, whose thread begins with the first question. */
export function openMatching(platform: Platform, region: RegionRoads, orders: MatchingPorts): MatchingState {
  const { db, kept, log, env, metrics } = platform;
  const { shared } = region.network;
  const spotsNear = createSpotsNear(region);
  const own = new OrderIndex({
    db,
    kept,
    log,
    orders: ordersOfRegions(orders, env),
    roads: {
      shared,
      files: {
        cells: path.join(env.DATA_DIR, 'matching', 'roads.cells'),
        times: path.join(env.DATA_DIR, 'matching', 'roads.times'),
      },
    },
    threads: env.MATCHING_THREADS,
    snapshot: snapshotPlace(env),
    onSearch: (kind, tookMs) =>
      metrics.noteSearch({ of: kind === 'ridesFor' ? 'rides' : 'requests', seconds: tookMs / secondMs }),
  });
  for (const gauge of indexGauges(own)) metrics.addGauge(gauge);
  return {
    roads: createRoadTimes(region, spotsNear),
    spotsNear,
    own,
    index: indexFor(own, env, log),
    assigner: new Assigner(shared),
  };
}

function indexFor(own: OrderIndex, env: Env, log: Log): SearchIndex {
  const { MATCHING_URLS: groups, MATCHING_SECRET: secret } = env;
  if (groups === undefined || secret === undefined) return own;
  return new RemoteIndex({ groups, secret, env, log });
}

/** Where the index is stored between starts: a file for each part of the orders. */
function snapshotPlace(env: Env): { file: string; part: string } {
  const part = JSON.stringify(ownPart(env));
  const name = part === 'null' ? 'orders.index' : `orders-${crc32(part).toString(16)}.index`;
  return { file: path.join(env.DATA_DIR, 'matching', name), part };
}

/** The index in this process; empty where matching processes hold the orders. */
const indexGauges = (index: Pick<OrderIndex, 'census' | 'waiting' | 'keptAgeMs'>): GaugeSource[] => [
  {
    name: 'sameway_index_orders',
    help: 'Open orders in the index of this process, by kind; none until it answers searches.',
    labels: ['kind'],
    async read() {
      const census = await index.census();
      if (census === null) return [];
      return [
        { labels: { kind: 'ride' }, value: census.rides },
        { labels: { kind: 'request' }, value: census.requests },
      ];
    },
  },
  {
    name: 'sameway_index_waiting',
    help: 'Questions that the matching threads of this process have not answered yet.',
    read: () => [{ value: index.waiting }],
  },
  {
    name: 'sameway_index_file_age_seconds',
    help: 'Age of the file from which the next start reads the index; none where the orders are too few for one.',
    read: () => (index.keptAgeMs === null ? [] : [{ value: index.keptAgeMs / secondMs }]),
  },
];
