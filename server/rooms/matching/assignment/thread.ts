// A thread for one assignment: it is given the problem, answers, and ends.
import { parentPort, workerData } from 'node:worker_threads';
import { createEstimateNetwork } from '#roads/estimate.ts';
import { createRoadNetwork } from '#roads/graph-network.ts';
import type { RoadNetwork } from '#roads/network.ts';
import { assign } from './assign.ts';
import type { Problem } from './problem.ts';

export interface AssignmentTask {
  problem: Problem;
  /** Typed arrays over shared memory; null where no region is loaded. */
  shared: RoadNetwork['shared'];
}

const { problem, shared } = workerData as AssignmentTask;
const network =
  shared === null ? createEstimateNetwork() : createRoadNetwork(shared.graph, { lands: shared.lands });
parentPort?.postMessage(assign(problem, network));
