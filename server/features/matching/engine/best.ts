/** The best few of many, lowest first. Equal scores stay in insertion order. */
export class Best<T> {
  private readonly most: number;
  private readonly scoreOf: (item: T) => number;
  /** A heap, the worst first. */
  private readonly heap: Entry<T>[] = [];
  private added = 0;

  constructor(most: number, scoreOf: (item: T) => number) {
    this.most = most;
    this.scoreOf = scoreOf;
  }

  add(item: T): void {
    const entry = { item, score: this.scoreOf(item), order: this.added++ };
    if (!this.isFull) this.rise(entry);
    else if (entry.score < this.limit) this.sink(entry);
  }

  /** Only an item with a score below this can be among the best. Infinity until enough items were added. */
  get limit(): number {
    if (!this.isFull) return Infinity;
    return this.heap[0]?.score ?? -Infinity;
  }

  get isFull(): boolean {
    return this.heap.length >= this.most;
  }

  sorted(): T[] {
    return this.heap.toSorted((a, b) => a.score - b.score || a.order - b.order).map(({ item }) => item);
  }

  /** Adds an entry from the end up. */
  private rise(entry: Entry<T>): void {
    const { heap } = this;
    let at = heap.length;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!isWorse(entry, heap[parent]!)) break;
      heap[at] = heap[parent]!;
      at = parent;
    }
    heap[at] = entry;
  }

  /** Replaces the worst entry. */
  private sink(entry: Entry<T>): void {
    const { heap } = this;
    const { length } = heap;
    let at = 0;
    for (;;) {
      let child = at * 2 + 1;
      if (child >= length) break;
      if (child + 1 < length && isWorse(heap[child + 1]!, heap[child]!)) child++;
      if (!isWorse(heap[child]!, entry)) break;
      heap[at] = heap[child]!;
      at = child;
    }
    heap[at] = entry;
  }
}

interface Entry<T> {
  item: T;
  score: number;
  order: number;
}

const isWorse = <T>(a: Entry<T>, b: Entry<T>): boolean =>
  a.score > b.score || (a.score === b.score && a.order > b.order);
