import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { readCache, writeCache } from '../../roads/graph/cache.ts';
import { keptCells } from '../../roads/graph/cells-cache.ts';
import type { RoadCells } from '../../roads/graph/cells.ts';
import { contract } from '../../roads/build/contraction.ts';
import { completeGraph, type RoadGraph } from '../../roads/graph/graph.ts';
import { loadRoadGraph } from '../../roads/graph/load.ts';
import { readEnv } from '../../server/platform/env.ts';
import type { RoadFiles } from '../../server/features/matching/engine/engine.ts';
import { say } from '../bench-app.ts';
import { tile, type Country } from './tiles.ts';

/** A country's roads, ready to be asked, and the region it is made of. */
export interface CountryRoads extends Omit<Country, 'graph'> {
  graph: RoadGraph;
  cells: RoadCells;
  files: RoadFiles;
  region: RoadGraph;
  /** Seconds the hierarchy took, null where it was cached by an earlier run; and the cells, cached or not. */
  hierarchySeconds: number | null;
  cellsSeconds: number;
}

/** Copies a region until it has `nodes` nodes; the hierarchy is cached between runs. */
export async function buildCountry(pbfFile: string, nodes: number): Promise<CountryRoads> {
  const cacheFolder = path.join(readEnv().DATA_DIR, 'bench');
  await mkdir(cacheFolder, { recursive: true });
  const region = await loadRoadGraph({ pbfFile, cacheFolder });
  const { graph: tiled, ...country } = tile(region, nodes);
  const cacheFile = path.join(cacheFolder, `country-${tiled.nodeCount}.roads`);
  const source = `${path.basename(pbfFile)} ${region.edgeCount} ${tiled.edgeMilliseconds.length}`;
  say(
    `The country has ${tiled.nodeCount.toLocaleString('en')} nodes in ${country.columns} × ${country.rows} copies of the region.`,
  );
  const known = await readCache(cacheFile, source);
  const beganAt = performance.now();
  if (known === null) say('Contracting its roads (some minutes; kept for the next run) …');
  const { graph: data, hierarchy } = known ?? { graph: tiled, hierarchy: contract(tiled, sayShare()) };
  const hierarchySeconds = known === null ? (performance.now() - beganAt) / 1000 : null;
  if (known === null) await writeCache(cacheFile, { graph: data, hierarchy }, source);
  const graph = completeGraph(data, hierarchy);
  say('Measuring the bounds between its cells (a minute; kept as well) …');
  const cellsBeganAt = performance.now();
  const kept = (kind: string) => path.join(cacheFolder, `country-${tiled.nodeCount}.${kind}`);
  const files = { cells: kept('cells'), times: kept('times') };
  const cells = await keptCells(graph, files.cells);
  return {
    ...country,
    graph,
    cells,
    files,
    region,
    hierarchySeconds,
    cellsSeconds: (performance.now() - cellsBeganAt) / 1000,
  };
}

/** Says a share done, at most every ten seconds. */
function sayShare(): (share: number) => void {
  let saidAt = performance.now();
  return (share) => {
    if (performance.now() - saidAt < 10_000) return;
    saidAt = performance.now();
    say(`  ${Math.round(share * 100)} %`);
  };
}
