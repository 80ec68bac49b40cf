/**
 * A priority queue of small integers keyed by doubles: a four-ary heap over typed arrays with decrease-key,
 * sized once for all the items it can ever hold and reused between searches.
 */
export class IndexedHeap {
  size = 0;
  private readonly keys: Float64Array;
  private readonly items: Int32Array;
  /** An item's position in the heap, -1 when it is not queued. */
  private readonly positions: Int32Array;

  /** @param capacity items are 0 … capacity - 1. */
  constructor(capacity: number) {
    this.keys = new Float64Array(capacity);
    this.items = new Int32Array(capacity);
    this.positions = new Int32Array(capacity).fill(-1);
  }

  /** The smallest key; Infinity when empty. */
  get minKey(): number {
    return this.size === 0 ? Infinity : this.keys[0]!;
  }

  /** Queues an item or lowers its key; a key that is not lower changes nothing. */
  push(item: number, key: number): void {
    let at = this.positions[item]!;
    if (at < 0) at = this.size++;
    else if (this.keys[at]! <= key) return;
    const { keys, items, positions } = this;
    while (at > 0) {
      const parent = (at - 1) >> 2;
      const parentKey = keys[parent]!;
      if (parentKey <= key) break;
      const moved = items[parent]!;
      keys[at] = parentKey;
      items[at] = moved;
      positions[moved] = at;
      at = parent;
    }
    keys[at] = key;
    items[at] = item;
    positions[item] = at;
  }

  /** Removes and returns the item with the smallest key. Call only when `size` is not 0. */
  pop(): number {
    const { keys, items, positions } = this;
    const top = items[0]!;
    positions[top] = -1;
    const last = --this.size;
    if (last > 0) {
      const key = keys[last]!;
      const item = items[last]!;
      let at = 0;
      for (;;) {
        const first = at * 4 + 1;
        if (first >= last) break;
        let child = first;
        let childKey = keys[first]!;
        const end = Math.min(first + 4, last);
        for (let i = first + 1; i < end; i++) {
          const k = keys[i]!;
          if (k < childKey) {
            childKey = k;
            child = i;
          }
        }
        if (childKey >= key) break;
        const moved = items[child]!;
        keys[at] = childKey;
        items[at] = moved;
        positions[moved] = at;
        at = child;
      }
      keys[at] = key;
      items[at] = item;
      positions[item] = at;
    }
    return top;
  }

  /** Empties the heap for the next search. */
  clear(): void {
    for (let i = 0; i < this.size; i++) this.positions[this.items[i]!] = -1;
    this.size = 0;
  }
}
