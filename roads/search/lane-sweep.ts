import { noWays, waysHead } from './core-ways.ts';
import { listHead, noTime, type CoreLists, type TimeArcs, type TimeHierarchy } from './time-arcs.ts';

/** A vertex where a lane begins, and the milliseconds between it and the lane's point. */
export interface Seed {
  vertex: number;
  milliseconds: number;
}

/** Where in a flat array the ways of each of many points begin. */
export interface WaysOfMany {
  starts: Uint32Array;
  count: number;
}

/** By point: its least time, or `apart`, and a lane that has it. */
export interface LeastOver {
  ms: Int32Array;
  lanes: Uint16Array;
}

export const leastOver = (points: number): LeastOver => ({
  ms: new Int32Array(points),
  lanes: new Uint16Array(points),
});

/**
 * The times between a few points, its lanes, and any number of vertices, computed on demand and for all lanes
 * at once: nearby points share most of their searches. One climb from the points gives the upward labels; the
 * time of a vertex is the better of its label and the times over its higher neighbors, computed recursively
 * and memoized (PHAST restricted to targets: D. Delling et al., 2011; pulled lazily as in B. Strasser, T.
 * Zeitz: A Fast and Tight Heuristic for A* in Road Networks, 2021). Questions about one neighborhood share
 * most of what they look up, and no label of any target is stored.
 */
export class LaneSweep {
  lanes = 0;
  /** How many lanes, from the first, count for `least`. */
  private within = 0;
  /** The arcs that lead away from the points, climbing. */
  private readonly climbing: TimeArcs;
  /** The arcs by which a vertex is reached from higher ones, and from its first ones of the core. */
  private readonly descending: TimeArcs;
  private readonly fromCore: CoreLists;
  private readonly core: number;
  /** By piece below the core: whether a point lies in it, so that drives within it may not pass the core. */
  private readonly isNear: Uint8Array;
  private near: number[] = [];
  private seeds: readonly (readonly Seed[])[] = [];
  private isClimbed = true;

  /** By vertex: where the words of its row begin, plus 1; 0 where it has none. */
  private readonly rowOf: Uint32Array;
  /** By lane, those of one row after another: labels of the climb, and times of the lanes that are known. */
  private times = new Int32Array(2 ** 16);
  private timesEnd = 0;
  /**
   * The words of the rows. Nine in ten rows share the times of the nearest higher vertex, each raised by as
   * much, because no lane is nearer over another one.
   */
  private facts = new Int32Array(2 ** 14 * rowWords);
  private factsEnd = 0;

  /** By vertex: the least time of the lanes within; `unknown`, or `-2 - label`, where it is not known yet. */
  private readonly leastTimes: Int32Array;
  /** By vertex of which the least time is known: the lane that has it. */
  private readonly nearestLanes: Uint16Array;
  private readonly stack: number[] = [];
  /** Vertices of the core to be computed together, and which they are, one bit each. */
  private wanted = new Uint32Array(2 ** 12);
  private wantedCount = 0;
  private readonly wantedBits: Int32Array;
  /** Which were ever wanted from these points: their least times are known, or will be. */
  private readonly metBits: Int32Array;
  private copied = new Int32Array(2 ** 12);
  /**
   * A sum over the prefetched words, without meaning: its use prevents the prefetch from being optimized
   * away.
   */
  protected read = 0;
  private touched = new Uint32Array(2 ** 12);
  private touchedCount = 0;

  /** @param towards whether the times are those to the points, or those from them. */
  constructor(hierarchy: TimeHierarchy, towards: 'to' | 'from') {
    const { up, down, upIntoCore, downIntoCore } = hierarchy;
    this.climbing = towards === 'to' ? down : up;
    this.descending = towards === 'to' ? up : down;
    this.fromCore = towards === 'to' ? upIntoCore : downIntoCore;
    this.core = hierarchy.core;
    // One more: the piece of what lies in none.
    this.isNear = new Uint8Array(hierarchy.pieces + 1);
    const count = up.start.length - 1;
    this.wantedBits = new Int32Array(Math.ceil((count - this.core) / 32));
    this.metBits = new Int32Array(this.wantedBits.length);
    this.rowOf = new Uint32Array(count);
    this.leastTimes = new Int32Array(count).fill(unknown);
    this.nearestLanes = new Uint16Array(count);
  }

  /**
   * Starts from other points; they are searched from when a time is first asked for.
   * @param seeds of each lane.
   * @param within how many lanes, from the first, count for `least`.
   */
  start(seeds: readonly (readonly Seed[])[], within: number): void {
    for (let row = 0; row < this.factsEnd; row += rowWords) this.rowOf[this.facts[row + vertexAt]!] = 0;
    for (let i = 0; i < this.touchedCount; i++) this.leastTimes[this.touched[i]!] = unknown;
    for (const piece of this.near) this.isNear[piece] = 0;
    this.metBits.fill(0);
    this.near = [];
    this.factsEnd = 0;
    this.timesEnd = 0;
    this.touchedCount = 0;
    this.seeds = seeds;
    this.lanes = seeds.length;
    this.within = within;
    this.isClimbed = false;
  }

  /** The least time between a vertex and any of the points within; at least `noTime` where no road leads. */
  least(vertex: number): number {
    if (!this.isClimbed) this.climb();
    const { leastTimes } = this;
    const { start, lists } = this.fromCore;
    const head = vertex < this.core ? start[vertex]! : -1;
    // Same condition as `isBeyondCore`, without reading the list's head again.
    if (head < 0 || this.isNear[lists[head + 1]!] !== 0) {
      const known = leastTimes[vertex]!;
      return known >= 0 ? known : this.findLeast(vertex);
    }
    let least = noTime;
    const first = head + listHead;
    const end = first + lists[head]!;
    for (let at = first; at < end; at += 2) {
      let time = leastTimes[lists[at]!]!;
      if (time < 0) time = this.findLeast(lists[at]!);
      time += lists[at + 1]!;
      if (time < least) least = time;
    }
    return least;
  }

  /** A lane with the least time, where a road leads. */
  nearest(vertex: number): number {
    const least = this.least(vertex);
    if (!this.isBeyondCore(vertex)) return this.nearestLanes[vertex]!;
    const { start, lists } = this.fromCore;
    const first = start[vertex]! + listHead;
    const end = first + lists[first - listHead]!;
    let at = first;
    while (at + 2 < end && this.leastTimes[lists[at]!]! + lists[at + 1]! !== least) at += 2;
    return this.nearestLanes[lists[at]!]!;
  }

  /**
   * Lowers the times of lanes to those over a vertex, each plus `milliseconds`.
   * @param row a time for each lane, or for the first ones.
   */
  lower(vertex: number, milliseconds: number, row: Int32Array): void {
    if (!this.isClimbed) this.climb();
    if (!this.isBeyondCore(vertex)) return void this.lowerOver(vertex, milliseconds, row);
    const { leastTimes } = this;
    const { start, lists } = this.fromCore;
    const first = start[vertex]! + listHead;
    const end = first + lists[first - listHead]!;
    if (row.length > this.within) {
      for (let at = first; at < end; at += 2) this.lowerOver(lists[at]!, milliseconds + lists[at + 1]!, row);
      return;
    }
    // The nearest way into the core first: most others then are too long for every lane.
    let nearest = -1;
    let nearestMs = noTime;
    for (let at = first; at < end; at += 2) {
      let time = leastTimes[lists[at]!]!;
      if (time < 0) time = this.findLeast(lists[at]!);
      time += lists[at + 1]!;
      if (time >= nearestMs) continue;
      nearest = at;
      nearestMs = time;
    }
    let most = longest(row);
    if (nearest < 0 || nearestMs + milliseconds >= most) return;
    most = this.lowerOver(lists[nearest]!, milliseconds + lists[nearest + 1]!, row);
    for (let at = first; at < end; at += 2) {
      const over = milliseconds + lists[at + 1]!;
      if (at === nearest || leastTimes[lists[at]!]! + over >= most) continue;
      most = this.lowerOver(lists[at]!, over, row);
    }
  }

  /** Whether all drives between the points and a point with some ways into the core take one of those. */
  goesOver(ways: Int32Array, at: number): boolean {
    if (!this.isClimbed) this.climb();
    const nearEnds = this.isNear[ways[at + 1]!]! + this.isNear[ways[at + 2]!]!;
    return ways[at] !== noWays && nearEnds === 0;
  }

  /**
   * The least times between any of the points within and some points with ways, for all of them at once. Each
   * step is taken for many vertices before the next, and none of its reads waits for another: the memory
   * answers them together, where one search after the other would wait for each. Vertices are then computed
   * from the highest down.
   * @param starts where in `ways` those of each point begin.
   */
  leastOfAll(ways: Int32Array, { starts, count }: WaysOfMany, found: LeastOver): void {
    if (!this.isClimbed) this.climb();
    this.wantedCount = 0;
    // Copies the ways' words, because the next computation replaces them in the processor's cache.
    let filled = 0;
    for (let i = 0; i < count; i++) {
      const first = starts[i]! + waysHead;
      const words = this.goesOver(ways, starts[i]!) ? ways[first - waysHead]! : noWays;
      if (filled + words + 1 > this.copied.length)
        this.copied = grown(this.copied, new Int32Array((filled + words) * 2));
      const { copied } = this;
      copied[filled++] = words;
      for (let at = first; at < first + words; at += 2) {
        copied[filled++] = ways[at]!;
        copied[filled++] = ways[at + 1]!;
        this.want(ways[at]!);
      }
    }
    this.wantHigher();
    this.computeWanted();
    const { leastTimes, nearestLanes, copied } = this;
    let at = 0;
    for (let i = 0; i < count; i++) {
      const words = copied[at++]!;
      if (words === noWays) {
        found.ms[i] = apart;
        continue;
      }
      let least = noTime;
      let over = 0;
      for (const end = at + words; at < end; at += 2) {
        const time = leastTimes[copied[at]!]!;
        // A way may be below 0, so that no sum with `noTime` may count.
        if (time >= noTime || time + copied[at + 1]! >= least) continue;
        least = time + copied[at + 1]!;
        over = copied[at]!;
      }
      found.ms[i] = least;
      found.lanes[i] = nearestLanes[over]!;
    }
  }

  /** The least time between any of the points within and a point with some ways, which all drives take. */
  leastOver(ways: Int32Array, at: number): number {
    const { leastTimes } = this;
    const first = at + waysHead;
    const end = first + ways[at]!;
    let least = noTime;
    for (let way = first; way < end; way += 2) {
      let time = leastTimes[ways[way]!]!;
      if (time < 0) time = this.findLeast(ways[way]!);
      // A way may be below 0, so that no sum with `noTime` may count.
      if (time < noTime && time + ways[way + 1]! < least) least = time + ways[way + 1]!;
    }
    return least;
  }

  /** Lowers the times of the lanes within to those over some ways, which all drives take. */
  lowerByWays(ways: Int32Array, at: number, row: Int32Array): void {
    const { leastTimes } = this;
    // The nearest way into the core first: most others then are too long for every lane.
    const nearest = this.shortest(ways, at);
    if (nearest < 0) return;
    let most = longest(row);
    if (leastTimes[ways[nearest]!]! + ways[nearest + 1]! >= most) return;
    const by = this.rowWithin(ways[nearest]!);
    most = this.lowerBy(by, ways[nearest + 1]!, row);
    const first = at + waysHead;
    const end = first + ways[at]!;
    for (let way = first; way < end; way += 2) {
      if (way === nearest || leastTimes[ways[way]!]! + ways[way + 1]! >= most) continue;
      const other = this.rowWithin(ways[way]!);
      // The same times over a longer way: it lowers none.
      if (this.facts[other + firstAt] === this.facts[by + firstAt]) continue;
      most = this.lowerBy(other, ways[way + 1]!, row);
    }
  }

  /** Where the way with the least time is; below 0 where no road leads. */
  private shortest(ways: Int32Array, at: number): number {
    const { leastTimes } = this;
    const first = at + waysHead;
    const end = first + ways[at]!;
    let shortest = -1;
    let least = noTime;
    for (let way = first; way < end; way += 2) {
      let time = leastTimes[ways[way]!]!;
      if (time < 0) time = this.findLeast(ways[way]!);
      if (time >= noTime || time + ways[way + 1]! >= least) continue;
      least = time + ways[way + 1]!;
      shortest = way;
    }
    return shortest;
  }

  /** Notes a vertex of the core, the first time that it is wanted. */
  private want(vertex: number): void {
    const bit = vertex - this.core;
    const word = bit >>> 5;
    const met = this.metBits[word]!;
    const more = met | (1 << (bit & 31));
    if (more === met) return;
    this.metBits[word] = more;
    this.wantedBits[word]! |= 1 << (bit & 31);
    if (this.wantedCount >= this.wanted.length)
      this.wanted = grown(this.wanted, new Uint32Array(this.wanted.length * 2));
    this.wanted[this.wantedCount++] = vertex;
  }

  /** Wants all that the wanted vertices are computed from, one round of arcs after the other. */
  private wantHigher(): void {
    const { start, arcs } = this.descending;
    let from = 0;
    while (from < this.wantedCount) {
      const to = this.wantedCount;
      let read = 0;
      for (let i = from; i < to; i++) {
        const first = start[this.wanted[i]!]! * 2;
        read ^= arcs[first]! ^ arcs[first + lineWords]!;
      }
      this.read = read;
      for (let i = from; i < to; i++) {
        const vertex = this.wanted[i]!;
        const end = start[vertex + 1]! * 2;
        for (let arc = start[vertex]! * 2; arc < end; arc += 2) this.want(arcs[arc]!);
      }
      from = to;
    }
  }

  /** Computes the least times of all wanted vertices, from the highest down. */
  private computeWanted(): void {
    const { leastTimes, nearestLanes, wantedBits, core } = this;
    const { start, arcs } = this.descending;
    for (let word = wantedBits.length - 1; word >= 0; word--) {
      let bits = wantedBits[word]!;
      if (bits === 0) continue;
      wantedBits[word] = 0;
      while (bits !== 0) {
        const highest = 31 - Math.clz32(bits);
        bits &= ~(1 << highest);
        const vertex = core + word * 32 + highest;
        const label = leastTimes[vertex]!;
        if (label >= 0) continue;
        let least = this.openLeast(vertex, label);
        let by = -1;
        const end = start[vertex + 1]! * 2;
        for (let arc = start[vertex]! * 2; arc < end; arc += 2) {
          const time = leastTimes[arcs[arc]!]! + arcs[arc + 1]!;
          if (time >= least) continue;
          least = time;
          by = arcs[arc]!;
        }
        leastTimes[vertex] = least;
        if (by >= 0) nearestLanes[vertex] = nearestLanes[by]!;
      }
    }
  }

  /** Whether every drive between a vertex and the points passes the core above the vertex. */
  private isBeyondCore(vertex: number): boolean {
    return vertex < this.core && this.isNear[this.pieceOf(vertex)] === 0;
  }

  private pieceOf(vertex: number): number {
    return this.fromCore.lists[this.fromCore.start[vertex]! + 1]!;
  }

  /** @returns the longest of the times: a way that is as long for each of them lowers none. */
  private lowerOver(vertex: number, milliseconds: number, row: Int32Array): number {
    const isWithin = row.length <= this.within;
    return this.lowerBy(isWithin ? this.rowWithin(vertex) : this.wholeRow(vertex), milliseconds, row);
  }

  /** Lowers times to those of a row, each plus `milliseconds`. @returns the longest of them */
  private lowerBy(by: number, milliseconds: number, row: Int32Array): number {
    const { times } = this;
    const from = this.facts[by + firstAt]!;
    const shift = this.facts[by + shiftAt]! + milliseconds;
    let most = 0;
    for (let lane = 0; lane < row.length; lane++) {
      const time = times[from + lane]!;
      // Milliseconds may be negative, so that no sum with `noTime` may count.
      if (time < noTime && time + shift < row[lane]!) row[lane] = time + shift;
      if (row[lane]! > most) most = row[lane]!;
    }
    return most;
  }

  /** Climbs with all lanes at once in order of the vertices: each is final before the search leaves it. */
  private climb(): void {
    this.isClimbed = true;
    const { climbing, lanes } = this;
    const { start, arcs } = climbing;
    const queue = new VertexQueue();
    this.seeds.forEach((seeds, lane) => {
      for (const { vertex, milliseconds } of seeds) {
        const at = this.facts[this.rowAt(vertex, queue) + firstAt]! + lane;
        if (milliseconds < this.times[at]!) this.times[at] = milliseconds;
      }
    });
    while (queue.size > 0) {
      const vertex = queue.pop();
      const row = this.rowOf[vertex]! - 1;
      const end = start[vertex + 1]! * 2;
      for (let arc = start[vertex]! * 2; arc < end; arc += 2) {
        this.lowerRow(this.rowAt(arcs[arc]!, queue), row, arcs[arc + 1]!, lanes);
      }
    }
    for (let row = 0; row < this.factsEnd; row += rowWords) this.labelLeast(row);
  }

  /** Notes the least label of a row for `least`. */
  private labelLeast(row: number): void {
    const vertex = this.facts[row + vertexAt]!;
    let least = noTime;
    for (let lane = 0; lane < this.within; lane++) {
      const label = this.times[this.facts[row + firstAt]! + lane]!;
      if (label >= least) continue;
      least = label;
      this.nearestLanes[vertex] = lane;
    }
    this.leastTimes[vertex] = -2 - least;
    this.touch(vertex);
    if (this.isBeyondCore(vertex)) {
      this.isNear[this.pieceOf(vertex)] = 1;
      this.near.push(this.pieceOf(vertex));
    }
  }

  /** Computes the least time of a vertex, those of higher vertices that it needs first. */
  private findLeast(vertex: number): number {
    const { leastTimes, nearestLanes, stack } = this;
    const { start, arcs } = this.descending;
    let height = 0;
    let here = vertex;
    let label = leastTimes[here]!;
    let least = this.openLeast(here, label);
    let arc = start[here]! * 2;
    let end = start[here + 1]! * 2;
    for (;;) {
      let waits = false;
      for (; arc < end; arc += 2) {
        const known = leastTimes[arcs[arc]!]!;
        if (known < 0) {
          waits = true;
          break;
        }
        const time = known + arcs[arc + 1]!;
        if (time >= least) continue;
        least = time;
        nearestLanes[here] = nearestLanes[arcs[arc]!]!;
      }
      if (waits) {
        // Goes on with the higher vertex, and comes back to this arc.
        stack[height] = here;
        stack[height + 1] = arc;
        stack[height + 2] = least;
        height += 3;
        here = arcs[arc]!;
        label = leastTimes[here]!;
        least = this.openLeast(here, label);
        arc = start[here]! * 2;
        end = start[here + 1]! * 2;
        continue;
      }
      leastTimes[here] = least;
      if (height === 0) return least;
      height -= 3;
      here = stack[height]!;
      arc = stack[height + 1]!;
      least = stack[height + 2]!;
      end = start[here + 1]! * 2;
    }
  }

  private openLeast(vertex: number, label: number): number {
    if (label !== unknown) return -2 - label;
    this.touch(vertex);
    return noTime;
  }

  /**
   * The row of a vertex, its times of the lanes within computed. By its nearest higher vertex first: most
   * others are then too far for any lane, and their rows are not computed for it.
   */
  private rowWithin(vertex: number): number {
    const begun = this.rowOf[vertex]! - 1;
    if (begun >= 0 && this.facts[begun + knownAt]! >= knownWithin) return begun;
    const { leastTimes, within } = this;
    if (leastTimes[vertex]! < 0) this.findLeast(vertex);
    const { start, arcs } = this.descending;
    const first = start[vertex]! * 2;
    const end = start[vertex + 1]! * 2;
    const isLabelled = begun >= 0;
    const row = isLabelled ? begun : this.addRow(vertex);
    let nearest = -1;
    let nearestMs = isLabelled ? this.longestWithin(row) : noTime;
    this.facts[row + longestAt] = nearestMs;
    for (let arc = first; arc < end; arc += 2) {
      const time = leastTimes[arcs[arc]!]! + arcs[arc + 1]!;
      if (time >= nearestMs) continue;
      nearest = arc;
      nearestMs = time;
    }
    this.facts[row + knownAt] = knownWithin;
    if (nearest < 0) {
      if (!isLabelled) this.takeTimes(row);
      return row;
    }
    const by = this.rowWithin(arcs[nearest]!);
    if (isLabelled) this.facts[row + longestAt] = this.lowerRow(row, by, arcs[nearest + 1]!, within);
    else this.share(row, by, arcs[nearest + 1]!);
    for (let arc = first; arc < end; arc += 2) {
      const milliseconds = arcs[arc + 1]!;
      if (leastTimes[arcs[arc]!]! + milliseconds >= this.facts[row + longestAt]! || arc === nearest) continue;
      const other = this.rowWithin(arcs[arc]!);
      if (!this.lowers(row, other, milliseconds)) continue;
      if (this.facts[row + sharesAt] === 1) this.takeSharedTimes(row);
      this.facts[row + longestAt] = this.lowerRow(row, other, milliseconds, within);
    }
    return row;
  }

  /** The longest time of a row's lanes within: a way that is as long for each of them lowers none. */
  private longestWithin(row: number): number {
    const { times } = this;
    const first = this.facts[row + firstAt]!;
    const end = first + this.within;
    let most = 0;
    for (let at = first; at < end; at++) if (times[at]! > most) most = times[at]!;
    return most + this.facts[row + shiftAt]!;
  }

  /** Gives a new row the times of another, each plus `milliseconds`, as long as no lane is lowered. */
  private share(row: number, by: number, milliseconds: number): void {
    this.facts[row + firstAt] = this.facts[by + firstAt]!;
    this.facts[row + shiftAt] = this.facts[by + shiftAt]! + milliseconds;
    this.facts[row + longestAt] = this.facts[by + longestAt]! + milliseconds;
    this.facts[row + sharesAt] = 1;
  }

  /** Whether a lane within of a row is lowered by the time of another, plus `milliseconds`. */
  private lowers(row: number, by: number, milliseconds: number): boolean {
    const { times, within } = this;
    const first = this.facts[row + firstAt]!;
    const shift = this.facts[by + shiftAt]! + milliseconds - this.facts[row + shiftAt]!;
    const between = this.facts[by + firstAt]! - first;
    if (between === 0) return shift < 0;
    const last = first + within;
    for (let at = first; at < last; at++) if (times[at + between]! + shift < times[at]!) return true;
    return false;
  }

  /** The row of a vertex, the times of all its lanes computed; those of the higher vertices first. */
  private wholeRow(vertex: number): number {
    const begun = this.rowOf[vertex]! - 1;
    if (begun >= 0 && this.facts[begun + knownAt] === knownWhole) return begun;
    const { stack, rowOf, lanes } = this;
    const { start, arcs } = this.descending;
    let height = 0;
    let here = vertex;
    let row = this.ownRow(here);
    let arc = start[here]! * 2;
    for (;;) {
      const end = start[here + 1]! * 2;
      for (; arc < end; arc += 2) {
        const higher = rowOf[arcs[arc]!]! - 1;
        if (higher < 0 || this.facts[higher + knownAt] !== knownWhole) break;
        this.lowerRow(row, higher, arcs[arc + 1]!, lanes);
      }
      if (arc < end) {
        // Goes on with the higher vertex, and comes back to this arc.
        stack[height++] = here;
        stack[height++] = arc;
        here = arcs[arc]!;
        row = this.ownRow(here);
        arc = start[here]! * 2;
        continue;
      }
      this.facts[row + knownAt] = knownWhole;
      this.facts[row + longestAt] = this.longestWithin(row);
      if (height === 0) return row;
      arc = stack[--height]!;
      here = stack[--height]!;
      row = rowOf[here]! - 1;
    }
  }

  /**
   * Lowers the times of the first lanes of a row that shares none to those of another, each plus
   * `milliseconds`.
   * @returns the longest of them: a way that is as long for each of them lowers none.
   */
  private lowerRow(row: number, by: number, milliseconds: number, count: number): number {
    const { times } = this;
    const first = this.facts[row + firstAt]!;
    const between = this.facts[by + firstAt]! - first;
    const shift = this.facts[by + shiftAt]! + milliseconds;
    const last = first + count;
    let most = 0;
    for (let at = first; at < last; at++) {
      let time = times[at + between]! + shift;
      if (time < times[at]!) times[at] = time;
      else time = times[at]!;
      if (time > most) most = time;
    }
    return most;
  }

  /** The row of a vertex of the climb, added and queued when it has none. */
  private rowAt(vertex: number, queue: VertexQueue): number {
    const row = this.rowOf[vertex]! - 1;
    if (row >= 0) return row;
    queue.push(vertex);
    return this.ownRow(vertex);
  }

  /** The row of a vertex with times that no other shares, added when it has none. */
  private ownRow(vertex: number): number {
    const begun = this.rowOf[vertex]! - 1;
    const row = begun >= 0 ? begun : this.addRow(vertex);
    if (begun < 0 || this.facts[row + sharesAt] === 1) this.takeTimes(row);
    return row;
  }

  /** Adds a row, still without times. */
  private addRow(vertex: number): number {
    const row = this.factsEnd;
    this.factsEnd += rowWords;
    if (this.factsEnd > this.facts.length)
      this.facts = grown(this.facts, new Int32Array(this.facts.length * 2));
    this.facts[row + knownAt] = 0;
    this.facts[row + vertexAt] = vertex;
    this.rowOf[vertex] = row + 1;
    return row;
  }

  /** Gives a row times of its own, none of them known. */
  private takeTimes(row: number): void {
    const first = this.timesEnd;
    this.timesEnd += this.lanes;
    if (this.timesEnd > this.times.length)
      this.times = grown(this.times, new Int32Array(this.times.length * 2));
    this.times.fill(noTime, first, this.timesEnd);
    this.facts[row + firstAt] = first;
    this.facts[row + shiftAt] = 0;
    this.facts[row + sharesAt] = 0;
  }

  /** The same, with the times that it shares so far. */
  private takeSharedTimes(row: number): void {
    const from = this.facts[row + firstAt]!;
    const shift = this.facts[row + shiftAt]!;
    this.takeTimes(row);
    const first = this.facts[row + firstAt]!;
    const { times, within } = this;
    for (let lane = 0; lane < within; lane++)
      times[first + lane] = Math.min(noTime, times[from + lane]! + shift);
  }

  private touch(vertex: number): void {
    if (this.touchedCount >= this.touched.length)
      this.touched = grown(this.touched, new Uint32Array(this.touched.length * 2));
    this.touched[this.touchedCount++] = vertex;
  }
}

/** The longest time of all lanes: a way that is as long for each of them lowers none. */
function longest(row: Int32Array): number {
  let most = 0;
  for (let lane = 0; lane < row.length; lane++) if (row[lane]! > most) most = row[lane]!;
  return most;
}

const unknown = -1;
/** Marks that there is no least time: the drives of the point do not all go over its ways. */
export const apart = -(2 ** 30);
/** Of which lanes the times of a row are known: of those within, or of all. */
const knownWithin = 1;
const knownWhole = 2;
/**
 * The words of a row: where its times begin, the milliseconds to be added to each, the longest of the lanes
 * within, of which lanes they are known, whether they are another row's, and its vertex.
 */
const firstAt = 0;
const shiftAt = 1;
const longestAt = 2;
const knownAt = 3;
const sharesAt = 4;
const vertexAt = 5;
const rowWords = 6;
/** A line of a cache. */
const lineWords = 16;

function grown<A extends Uint8Array | Uint32Array | Int32Array>(before: A, after: A): A {
  after.set(before);
  return after;
}

/** Vertices in order, each queued once: a binary heap. */
class VertexQueue {
  size = 0;
  private readonly heap: number[] = [];

  push(vertex: number): void {
    const { heap } = this;
    let at = this.size++;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (heap[parent]! <= vertex) break;
      heap[at] = heap[parent]!;
      at = parent;
    }
    heap[at] = vertex;
  }

  /** Removes and returns the lowest. */
  pop(): number {
    const { heap } = this;
    const lowest = heap[0]!;
    const last = --this.size;
    const vertex = heap[last]!;
    let at = 0;
    for (;;) {
      let child = at * 2 + 1;
      if (child >= last) break;
      if (child + 1 < last && heap[child + 1]! < heap[child]!) child++;
      if (heap[child]! >= vertex) break;
      heap[at] = heap[child]!;
      at = child;
    }
    heap[at] = vertex;
    return lowest;
  }
}
