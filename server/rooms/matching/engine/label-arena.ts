/** Entries in one page of the arena; no label straddles two. */
const pageEntries = 2 ** 20;
/** Labels take room in steps of this many entries, so that what one leaves another can use. */
const step = 8;

/** Where a label lies, and how long it is. */
export interface Slice {
  at: number;
  length: number;
}

/**
 * Labels of many stops in a few large arrays: hub and milliseconds in turn, 8 bytes a hub, nothing for the garbage
 * collector to walk. Only times are kept: the least time over common hubs is the time of the best drive.
 */
export class LabelArena {
  private readonly pages: Uint32Array[] = [];
  private used = pageEntries;
  /** Room left by labels that are gone, by its size in steps. */
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

  /** The least sum of times over hubs that a stored label shares with one at hand; Infinity where they share none. */
  meet(at: number, length: number, hubs: Uint32Array, milliseconds: Uint32Array): number {
    const page = this.pages[Math.floor(at / pageEntries)]!;
    let entry = (at % pageEntries) * 2;
    const end = entry + length * 2;
    const count = hubs.length;
    let i = 0;
    let best = Infinity;
    while (i < count && entry < end) {
      const here = hubs[i]!;
      const there = page[entry]!;
      if (here === there) {
        const total = milliseconds[i]! + page[entry + 1]!;
        if (total < best) best = total;
        i++;
        entry += 2;
      } else if (here < there) i++;
      else entry += 2;
    }
    return best;
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
