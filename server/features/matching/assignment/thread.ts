// The assigner's thread: receives problems one after another, and answers each.
import { parentPort, workerData } from 'node:worker_threads';
import { createEstimateNetwork } from '#roads/graph/estimate.ts';
import { createRoadNetwork } from '#roads/graph/graph-network.ts';
import type { RoadNetwork } from '#roads/graph/network.ts';
import { assign } from './assign.ts';
import type { Problem } from './problem.ts';

/** Typed arrays over shared memory; null where no region is loaded. */
export type SharedRoads = RoadNetwork['shared'];

const shared = workerData as SharedRoads;
const network =
  shared === null ? createEstimateNetwork() : createRoadNetwork(shared.graph, { lands: shared.lands });
parentPort?.on('message', (problem: Problem) => parentPort?.postMessage(assign(problem, network)));
