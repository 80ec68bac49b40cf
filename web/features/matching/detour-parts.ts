import type { LonLat } from '../../map/shapes.ts';

const keyOf = (a: LonLat, b: LonLat) => `${a[0]},${a[1]} ${b[0]},${b[1]}`;

/** The stretches of a way that leave another one: what a passenger adds to the driver's own way. */
export function detourParts(own: readonly LonLat[], shared: readonly LonLat[]): LonLat[][] {
  const known = new Set<string>();
  own.forEach((at, index) => {
    const next = own[index + 1];
    if (next) known.add(keyOf(at, next));
  });
  const parts: LonLat[][] = [];
  let open: LonLat[] | null = null;
  shared.forEach((at, index) => {
    const next = shared[index + 1];
    if (!next) return;
    if (known.has(keyOf(at, next))) open = null;
    else if (open) open.push(next);
    else parts.push((open = [at, next]));
  });
  return parts;
}
