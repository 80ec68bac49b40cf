import type { AddressRange } from '#roads/places/addresses.ts';
import { nearestOnLine, type LonLat } from '#roads/graph/geometry.ts';

/**
 * The probable house number next to a point, and the distance to the street's line. Null for a range without
 * a line.
 */
export function houseNumberAt(
  range: AddressRange,
  at: LonLat,
): { houseNumber: number; metres: number } | null {
  if (range.line.length === 0) return null;
  const flat = range.line.flat();
  const near = nearestOnLine(at, { points: flat, start: 0, end: flat.length, scale: 1 });
  return {
    houseNumber: nearestOfParity(range.from + near.fraction * (range.to - range.from), range),
    metres: near.metres,
  };
}

function nearestOfParity(wanted: number, { from, to, parity }: AddressRange): number {
  const [low, high] = [Math.min(from, to), Math.max(from, to)];
  const rounded = Math.round(wanted);
  if (parity === 'any') return rounded;
  const isRight = (number: number) => (number % 2 === 0) === (parity === 'even');
  if (isRight(rounded)) return rounded;
  const next = rounded <= wanted ? rounded + 1 : rounded - 1;
  return next >= low && next <= high ? next : Math.min(high, Math.max(low, 2 * rounded - next));
}
