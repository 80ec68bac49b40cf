import type { Part, Stored } from './stored.ts';

/**
 * Small dense numbers for UUIDs: each gets a slot, freed slots are reused. Open addressing over flat arrays:
 * a million of them take 40 MB, and no objects for the garbage collector.
 */
export class Slots implements Part {
  /** The number of slots in use. */
  size = 0;
  private capacity: number;
  /** Four words of each slot's UUID. */
  private words: Uint32Array;
  /** Slot + 1 by hash; 0 is empty. */
  private table: Uint32Array;
  private readonly givenUp: number[] = [];
  private next = 0;

  constructor(capacity = 1024) {
    this.capacity = capacity;
    this.words = new Uint32Array(capacity * 4);
    this.table = new Uint32Array(capacity * 2);
  }

  /** Bytes of its arrays. */
  get bytes(): number {
    return this.words.byteLength + this.table.byteLength;
  }

  /** Slots ever allocated. */
  get end(): number {
    return this.next;
  }

  store(): Stored {
    return { words: this.words.slice(0, this.next * 4), free: Uint32Array.from(this.givenUp) };
  }

  restore(stored: Stored): void {
    const words = stored['words']! as Uint32Array;
    const free = new Set(stored['free']);
    this.next = words.length / 4;
    this.size = this.next - free.size;
    while (this.capacity < this.next) this.capacity *= 2;
    this.words = new Uint32Array(this.capacity * 4);
    this.words.set(words);
    this.table = new Uint32Array(this.capacity * 2);
    for (let slot = 0; slot < this.next; slot++) if (!free.has(slot)) this.place(slot);
    this.givenUp.push(...free);
  }

  /** The slot of an id, -1 when it has none. */
  find(id: string): number {
    const key = wordsOf(id);
    for (let at = this.home(key); ; at = (at + 1) & (this.table.length - 1)) {
      const entry = this.table[at]!;
      if (entry === 0) return -1;
      if (this.holds(entry - 1, key)) return entry - 1;
    }
  }

  /** Assigns a slot to an id that has none. */
  take(id: string): number {
    const slot = this.givenUp.pop() ?? this.next++;
    if (slot >= this.capacity) this.grow();
    this.words.set(wordsOf(id), slot * 4);
    this.place(slot);
    this.size++;
    return slot;
  }

  /** Frees the slot of an id. */
  give(id: string): void {
    const key = wordsOf(id);
    const mask = this.table.length - 1;
    let at = this.home(key);
    while (!this.holds(this.table[at]! - 1, key)) at = (at + 1) & mask;
    this.givenUp.push(this.table[at]! - 1);
    this.size--;
    // Later entries move up, so that no lookup stops at the gap.
    for (let next = (at + 1) & mask; this.table[next] !== 0; next = (next + 1) & mask) {
      const wanted = this.home(this.words.subarray((this.table[next]! - 1) * 4, this.table[next]! * 4));
      if (((next - wanted) & mask) >= ((next - at) & mask)) {
        this.table[at] = this.table[next]!;
        at = next;
      }
    }
    this.table[at] = 0;
  }

  idOf(slot: number): string {
    const { words } = this;
    const at = slot * 4;
    const [b, c] = [words[at + 1]!, words[at + 2]!];
    return `${hex(words[at]!)}-${highHex(b)}-${lowHex(b)}-${highHex(c)}-${lowHex(c)}${hex(words[at + 3]!)}`;
  }

  private holds(slot: number, key: Uint32Array): boolean {
    const { words } = this;
    const at = slot * 4;
    return (
      words[at] === key[0] && words[at + 1] === key[1] && words[at + 2] === key[2] && words[at + 3] === key[3]
    );
  }

  private home(key: Uint32Array): number {
    // Random UUIDs need no hash; the multiplications spread the others.
    const mixed = Math.imul(key[0]! ^ Math.imul(key[1]!, 31) ^ Math.imul(key[3]!, 131), 2_654_435_761);
    return (mixed >>> 1) & (this.table.length - 1);
  }

  private place(slot: number): void {
    const mask = this.table.length - 1;
    let at = this.home(this.words.subarray(slot * 4, slot * 4 + 4));
    while (this.table[at] !== 0) at = (at + 1) & mask;
    this.table[at] = slot + 1;
  }

  private grow(): void {
    const placed = this.table.filter((entry) => entry !== 0);
    const words = new Uint32Array(this.capacity * 8);
    words.set(this.words);
    this.words = words;
    this.capacity *= 2;
    this.table = new Uint32Array(this.capacity * 2);
    for (const entry of placed) this.place(entry - 1);
  }
}

/** Short numbers for people's ids, assigned on first use. */
export class People extends Slots {
  numberOf(id: string): number {
    const known = this.find(id);
    return known >= 0 ? known : this.take(id);
  }

  /** The numbers of those ids that have one. */
  known(ids: readonly string[]): Set<number> {
    return new Set(ids.map((id) => this.find(id)).filter((number) => number >= 0));
  }
}

function wordsOf(id: string): Uint32Array {
  const hex = id.replaceAll('-', '');
  return Uint32Array.of(
    Number.parseInt(hex.slice(0, 8), 16),
    Number.parseInt(hex.slice(8, 16), 16),
    Number.parseInt(hex.slice(16, 24), 16),
    Number.parseInt(hex.slice(24, 32), 16),
  );
}

const hexOf = Array.from({ length: 2 ** 16 }, (_, half) => half.toString(16).padStart(4, '0'));

const highHex = (word: number): string => hexOf[word >>> 16]!;
const lowHex = (word: number): string => hexOf[word & 0xff_ff]!;
const hex = (word: number): string => highHex(word) + lowHex(word);
