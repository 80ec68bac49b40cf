import type { LonLat } from '#roads/graph/geometry.ts';

/**
 * Areas the size of a neighborhood: the squares of one grid over the world, about 1.7 by 1.8 kilometers in
 * the middle latitudes. The grid is fixed and independent of people's homes, so that an area reveals no
 * address.
 */
const lonStep = 0.02;
const latStep = 0.015;
/** Areas from west to east; an id is row × columns + column, and fits into 32 bits. */
const columns = 18_000;

const columnOf = (lon: number) =>
  Math.min(columns - 1, Math.max(0, Math.floor(Math.round((lon + 180) * 1e7) / 1e7 / lonStep)));
const rowOf = (lat: number) => Math.max(0, Math.floor(Math.round((lat + 90) * 1e7) / 1e7 / latStep));

/** The area that a point lies in. */
export const areaAt = ({ lon, lat }: LonLat): number => rowOf(lat) * columns + columnOf(lon);

/** A point of an area: its middle at (0, 0), its corners at ±0.5. */
export const pointIn = (area: number, right: number, up: number): LonLat => ({
  lon: -180 + ((area % columns) + 0.5 + right) * lonStep,
  lat: -90 + (Math.floor(area / columns) + 0.5 + up) * latStep,
});

/** An area with `rings` rings of neighbors around it. */
export function areasAround(area: number, rings: number): number[] {
  const [row, column] = [Math.floor(area / columns), area % columns];
  const around: number[] = [];
  for (let y = Math.max(0, row - rings); y <= row + rings; y++)
    for (let x = Math.max(0, column - rings); x <= Math.min(columns - 1, column + rings); x++)
      around.push(y * columns + x);
  return around;
}

/**
 * How far from any point of an area everything beyond its rings is at least: in degrees of latitude, to which
 * those of longitude are shrunk.
 */
export const leastDegreesBeyond = (rings: number, lat: number): number =>
  rings * Math.min(latStep, lonStep * Math.cos((lat * Math.PI) / 180));

/** The areas within a number of degrees of a point, as spans of ids: one for each row, both ends included. */
export function areaSpans(
  at: LonLat,
  degrees: { lon: number; lat: number },
): [first: number, last: number][] {
  const [west, east] = [columnOf(at.lon - degrees.lon), columnOf(at.lon + degrees.lon)];
  const spans: [number, number][] = [];
  for (let row = rowOf(at.lat - degrees.lat); row <= rowOf(at.lat + degrees.lat); row++)
    spans.push([row * columns + west, row * columns + east]);
  return spans;
}

/** The areas that a line leads through, each once, in its order. */
export function areasOnLine(line: readonly (readonly [lon: number, lat: number])[]): number[] {
  const areas = new Set<number>();
  for (const [index, [lon, lat]] of line.entries()) {
    const [fromLon, fromLat] = line[Math.max(0, index - 1)]!;
    // Steps of less than half an area, so that a long straight piece misses at most corners that it cuts.
    const steps = Math.ceil(
      2 * Math.max(Math.abs(lon - fromLon) / lonStep, Math.abs(lat - fromLat) / latStep),
    );
    for (let step = 0; step <= steps; step++) {
      const part = steps === 0 ? 1 : step / steps;
      areas.add(areaAt({ lon: fromLon + (lon - fromLon) * part, lat: fromLat + (lat - fromLat) * part }));
    }
  }
  return [...areas];
}
