import { noTime, type LaneTable } from './lanes.ts';

/** Entries in one page of the arena; no label spans two. */
const pageEntries = 2 ** 20;
/** Labels are allocated in steps of this many entries, so that freed space can be reused. */
const step = 8;

/** Where a label lies, and how long it is. */
export interface Slice {
  at: number;
  length: number;
}

/**
 * Labels of many stops in a few large arrays: hub and milliseconds alternate, 8 bytes a hub, no objects for
 * the garbage collector. Only times are stored: the least time over common hubs is the time of the best
 * drive.
 */
export class LabelArena {
  private readonly pages: Uint32Array[] = [];
  private used = pageEntries;
  /** Space freed by removed labels, by its size in steps. */
  private readonly free: number[][] = [];

  /** Bytes held. */
  get bytes(): number {
    return this.pages.length * pageEntries * 8;
  }

  add(hubs: Uint32Array, milliseconds: ArrayLike<number>): Slice {
    const { length } = hubs;
    const steps = Math.ceil(length / step);
    const at = this.free[steps]?.pop() ?? this.fresh(steps * step);
    const page = this.pages[Math.floor(at / pageEntries)]!;
    let entry = (at % pageEntries) * 2;
    for (let i = 0; i < length; i++) {
      page[entry++] = hubs[i]!;
      page[entry++] = milliseconds[i]!;
    }
    return { at, length };
  }

  remove({ at, length }: Slice): void {
    (this.free[Math.ceil(length / step)] ??= []).push(at);
  }

  /** The least times between a stored place and each lane of a table; `noTime` where they share no hub. */
  meet(at: number, length: number, { label, rowAt }: LaneTable, best: Int32Array): void {
    const page = this.pages[Math.floor(at / pageEntries)]!;
    const first = (at % pageEntries) * 2;
    const end = first + length * 2;
    const { lanes, times } = label;
    best.fill(noTime);
    for (let entry = first; entry < end; entry += 2) {
      const found = rowAt[page[entry]!]!;
      if (found === 0) continue;
      const ms = page[entry + 1]!;
      const row = (found - 1) * lanes;
      for (let lane = 0; lane < lanes; lane++) {
        const total = times[row + lane]! + ms;
        if (total < best[lane]!) best[lane] = total;
      }
    }
  }

  private fresh(entries: number): number {
    if (entries > pageEntries) throw new Error(`a label of ${entries} entries is longer than a page`);
    if (this.used + entries > pageEntries) {
      this.pages.push(new Uint32Array(pageEntries * 2));
      this.used = 0;
    }
    const at = (this.pages.length - 1) * pageEntries + this.used;
    this.used += entries;
    return at;
  }
}
