import { readArrays, writeArrays, type ArrayFileKind } from '../graph/array-file.ts';
import { fingerprintOf } from '../graph/cells-cache.ts';
import type { RoadGraph } from '../graph/graph.ts';
import { timeHierarchy, type TimeHierarchy } from './time-arcs.ts';

interface TimeArrays {
  vertexOf: Uint32Array;
  upStart: Uint32Array;
  upArcs: Int32Array;
  downStart: Uint32Array;
  downArcs: Int32Array;
  upCoreStart: Uint32Array;
  upCoreLists: Int32Array;
  downCoreStart: Uint32Array;
  downCoreLists: Int32Array;
}

/** Raise the version whenever the order of the vertices, the core or the layout of a list changes. */
const TIMES: ArrayFileKind<TimeArrays> = {
  magic: 'SWTIMES\n',
  version: 1,
  types: {
    vertexOf: Uint32Array,
    upStart: Uint32Array,
    upArcs: Int32Array,
    downStart: Uint32Array,
    downArcs: Int32Array,
    upCoreStart: Uint32Array,
    upCoreLists: Int32Array,
    downCoreStart: Uint32Array,
    downCoreLists: Int32Array,
  },
};

interface TimeFacts {
  core: number;
  pieces: number;
}

/**
 * The times of a graph's hierarchy: from a file that holds them, else derived and stored there. A country's
 * take some seconds to derive.
 */
export async function keptTimes(graph: RoadGraph, file: string): Promise<TimeHierarchy> {
  const source = fingerprintOf(graph);
  const found = await readArrays(file, TIMES, source);
  if (found !== null) return timesOf(found.arrays, found.facts as TimeFacts);
  const times = timeHierarchy(graph);
  const { vertexOf, up, down, upIntoCore, downIntoCore, core, pieces } = times;
  const arrays = {
    vertexOf,
    upStart: up.start,
    upArcs: up.arcs,
    downStart: down.start,
    downArcs: down.arcs,
    upCoreStart: upIntoCore.start,
    upCoreLists: upIntoCore.lists,
    downCoreStart: downIntoCore.start,
    downCoreLists: downIntoCore.lists,
  };
  await writeArrays(file, TIMES, { arrays, facts: { core, pieces } satisfies TimeFacts, source });
  return times;
}

function timesOf(arrays: TimeArrays, { core, pieces }: TimeFacts): TimeHierarchy {
  return {
    vertexOf: arrays.vertexOf,
    up: { start: arrays.upStart, arcs: arrays.upArcs },
    down: { start: arrays.downStart, arcs: arrays.downArcs },
    core,
    upIntoCore: { start: arrays.upCoreStart, lists: arrays.upCoreLists },
    downIntoCore: { start: arrays.downCoreStart, lists: arrays.downCoreLists },
    pieces,
  };
}
