import type { RoadData } from '../build/extract.ts';
import type { LonLat } from '../graph/geometry.ts';

const BLOCK_DEGREES = 0.002;
const SIDE = 5;

/**
 * A town of five by five streets. With `leaves` the middle ones are main roads, which continue to the border
 * of the extract, half a block beyond the town; without it none is a main road, so none leads out.
 * @param firstId the first of its ids, so that two towns fit on one map.
 */
export function gridTown({
  southWest,
  firstId,
  leaves = true,
  oneWayRing = false,
}: {
  southWest: LonLat;
  firstId: number;
  leaves?: boolean;
  /** Whether the outermost streets lead around the town counterclockwise only. */
  oneWayRing?: boolean;
}): RoadData {
  const middle = (SIDE - 1) / 2;
  const at = (column: number, row: number): LonLat => ({
    lon: southWest.lon + column * BLOCK_DEGREES,
    lat: southWest.lat + row * BLOCK_DEGREES,
  });
  const data: RoadData = { nodes: [], ways: [], restrictions: [], bounds: null };
  const idAt = (column: number, row: number) => firstId + (column + 1) * (SIDE + 2) + row + 1;
  const steps = Array.from({ length: SIDE }, (_, step) => step);
  for (const column of steps)
    for (const row of steps) data.nodes.push({ type: 'node', id: idAt(column, row), ...at(column, row) });
  for (const step of steps) {
    const isMain = step === middle;
    const lines = [
      { name: `Street ${step}`, refs: steps.map((column) => idAt(column, step)), away: step === SIDE - 1 },
      { name: `Avenue ${step}`, refs: steps.map((row) => idAt(step, row)), away: step === 0 },
    ];
    lines.forEach(({ name, refs, away }, line) => {
      if (isMain && leaves) {
        const ends = [-1, SIDE].map((end): [number, number] => (line === 0 ? [end, step] : [step, end]));
        for (const [column, row] of ends) {
          const half = (n: number) => (n < 0 ? -0.5 : n === SIDE ? SIDE - 0.5 : n);
          data.nodes.push({ type: 'node', id: idAt(column, row), ...at(half(column), half(row)) });
        }
        refs = [idAt(...ends[0]!), ...refs, idAt(...ends[1]!)];
      }
      const isRing = oneWayRing && (step === 0 || step === SIDE - 1);
      data.ways.push({
        type: 'way',
        id: firstId + step * 2 + line,
        refs,
        tags: {
          highway: isMain && leaves ? 'primary' : 'residential',
          name,
          ...(isRing && { oneway: away ? '-1' : 'yes' }),
        },
      });
    });
  }
  const [low, high] = [at(-0.5, -0.5), at(SIDE - 0.5, SIDE - 0.5)];
  data.bounds = [low.lon, low.lat, high.lon, high.lat];
  return data;
}
