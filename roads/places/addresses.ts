import { greatCircleMetres, type LonLat } from '../graph/geometry.ts';

/** House numbers along one side of a stretch of street, as the US Census publishes them. */
export interface AddressRange {
  /** House number at the first vertex of the line; may be larger than `to`. */
  from: number;
  to: number;
  parity: 'odd' | 'even' | 'any';
  line: [lon: number, lat: number][];
}

/** Whether a house number belongs to a range. */
export function rangeHolds({ from, to, parity }: AddressRange, houseNumber: number): boolean {
  if (
    !Number.isInteger(houseNumber) ||
    houseNumber < Math.min(from, to) ||
    houseNumber > Math.max(from, to)
  ) {
    return false;
  }
  return parity === 'any' || (houseNumber % 2 === 0) === (parity === 'even');
}

/**
 * The probable point of a house number: interpolated between the range's ends along the center line of the
 * street. Null when the number is not in this range.
 */
export function addressPoint(range: AddressRange, houseNumber: number): LonLat | null {
  const { from, to, line } = range;
  if (line.length === 0 || !rangeHolds(range, houseNumber)) return null;
  return pointAlong(line, from === to ? 0.5 : (houseNumber - from) / (to - from));
}

/** The point at a fraction (0 … 1) of a line's length. The line has at least one vertex. */
export function pointAlong(line: readonly (readonly [number, number])[], fraction: number): LonLat {
  const points = line.map(([lon, lat]) => ({ lon, lat }));
  const lengths = points.slice(1).map((point, i) => greatCircleMetres(points[i]!, point));
  let left = lengths.reduce((sum, length) => sum + length, 0) * fraction;
  for (const [i, length] of lengths.entries()) {
    if (left <= length && length > 0) {
      const t = left / length;
      const a = points[i]!;
      const b = points[i + 1]!;
      return { lon: a.lon + (b.lon - a.lon) * t, lat: a.lat + (b.lat - a.lat) * t };
    }
    left -= length;
  }
  return points.at(-1)!;
}
