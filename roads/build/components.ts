/** Adjacency in compressed rows: the neighbors of i are `to[start[i]] … to[start[i + 1] - 1]`. */
export interface Rows {
  start: Uint32Array;
  to: Uint32Array;
}

/**
 * The strongly connected component of each vertex, numbered from 0 (Tarjan's algorithm, without recursion).
 */
export function strongComponents({ start, to }: Rows): { component: Int32Array; count: number } {
  const count = start.length - 1;
  const order = new Int32Array(count).fill(-1);
  const low = new Int32Array(count);
  const component = new Int32Array(count).fill(-1);
  const next = start.slice(0, count);
  const open: number[] = [];
  const path: number[] = [];
  let found = 0;
  let clock = 0;
  for (let root = 0; root < count; root++) {
    if (order[root]! >= 0) continue;
    path.push(root);
    while (path.length > 0) {
      const at = path.at(-1)!;
      if (order[at]! < 0) {
        order[at] = low[at] = clock++;
        open.push(at);
      }
      if (next[at]! < start[at + 1]!) {
        const neighbour = to[next[at]!++]!;
        if (order[neighbour]! < 0) path.push(neighbour);
        else if (component[neighbour]! < 0) low[at] = Math.min(low[at]!, order[neighbour]!);
        continue;
      }
      path.pop();
      const above = path.at(-1);
      if (above !== undefined) low[above] = Math.min(low[above]!, low[at]!);
      if (low[at] !== order[at]) continue;
      for (;;) {
        const member = open.pop()!;
        component[member] = found;
        if (member === at) break;
      }
      found++;
    }
  }
  return { component, count: found };
}

/** Everything reachable from the seeds, seeds included, as 1s. */
export function reachable({ start, to }: Rows, seeds: Iterable<number>): Uint8Array {
  const reached = new Uint8Array(start.length - 1);
  const queue: number[] = [];
  for (const seed of seeds) {
    reached[seed] = 1;
    queue.push(seed);
  }
  for (let at = queue.pop(); at !== undefined; at = queue.pop()) {
    for (let i = start[at]!; i < start[at + 1]!; i++) {
      const neighbour = to[i]!;
      if (reached[neighbour]) continue;
      reached[neighbour] = 1;
      queue.push(neighbour);
    }
  }
  return reached;
}

/** The transposed rows. */
export function reversedRows({ start, to }: Rows): Rows & { from: Uint32Array } {
  const count = start.length - 1;
  const back = new Uint32Array(count + 1);
  for (const target of to) back[target + 1]!++;
  for (let i = 0; i < count; i++) back[i + 1]! += back[i]!;
  const fill = back.slice(0, count);
  const sources = new Uint32Array(to.length);
  const from = new Uint32Array(to.length);
  for (let source = 0; source < count; source++) {
    for (let i = start[source]!; i < start[source + 1]!; i++) {
      const slot = fill[to[i]!]!++;
      sources[slot] = source;
      from[slot] = i;
    }
  }
  return { start: back, to: sources, from };
}
