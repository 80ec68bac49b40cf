import { reversedPath, type Path } from './shape.ts';

/**
 * Leaves out points that lie within a tolerance of the line without them (Douglas and Peucker, without
 * recursion).
 */
export function simplified(path: Path, tolerance: number): Path {
  const last = path.length - 2;
  if (last < 4) return path;
  const kept = new Uint8Array(path.length / 2);
  kept[0] = kept[last / 2] = 1;
  const open: [number, number][] = [[0, last]];
  for (let span = open.pop(); span; span = open.pop()) {
    const [from, to] = span;
    let farthest = tolerance * tolerance;
    let at = -1;
    for (let i = from + 2; i < to; i += 2) {
      const distance = squaredDistance(path, i, from, to);
      if (distance > farthest) [farthest, at] = [distance, i];
    }
    if (at < 0) continue;
    kept[at / 2] = 1;
    open.push([from, at], [at, to]);
  }
  return path.filter((_, i) => kept[i >> 1]);
}

/** From the point at `i` to the stretch between the points at `from` and `to`. */
function squaredDistance(path: Path, i: number, from: number, to: number): number {
  const [x, y] = [path[from]!, path[from + 1]!];
  const [dx, dy] = [path[to]! - x, path[to + 1]! - y];
  const length = dx * dx + dy * dy;
  const along = length === 0 ? 0 : ((path[i]! - x) * dx + (path[i + 1]! - y) * dy) / length;
  const share = Math.min(1, Math.max(0, along));
  return (path[i]! - x - dx * share) ** 2 + (path[i + 1]! - y - dy * share) ** 2;
}

/** Lines that meet end to end become one: names fit along it, and simplifying has something to leave out. */
export function joinedLines(lines: readonly Path[]): Path[] {
  const chains = new Set<Path>();
  const ends = new Map<string, Path>();
  const tail = (line: Path) => `${line.at(-2)},${line.at(-1)}`;
  const head = (line: Path) => `${line[0]},${line[1]}`;
  const take = (key: string) => {
    const chain = ends.get(key);
    if (!chain) return undefined;
    chains.delete(chain);
    if (ends.get(head(chain)) === chain) ends.delete(head(chain));
    if (ends.get(tail(chain)) === chain) ends.delete(tail(chain));
    return chain;
  };
  for (const line of lines) {
    let chain = line;
    const before = take(head(chain));
    if (before)
      chain = [...(tail(before) === head(chain) ? before : reversedPath(before)), ...chain.slice(2)];
    const after = take(tail(chain));
    if (after) chain = [...chain, ...(head(after) === tail(chain) ? after : reversedPath(after)).slice(2)];
    chains.add(chain);
    for (const key of [head(chain), tail(chain)]) if (!ends.has(key)) ends.set(key, chain);
  }
  return [...chains];
}
