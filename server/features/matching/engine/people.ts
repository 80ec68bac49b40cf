import { Slots } from './slots.ts';
import type { Stored } from './stored.ts';

/** Short numbers for people's ids, assigned on first use. */
export class People {
  private readonly slots = new Slots();

  /** Bytes of its arrays. */
  get bytes(): number {
    return this.slots.bytes;
  }

  store(): Stored {
    return this.slots.store();
  }

  restore(stored: Stored): void {
    this.slots.restore(stored);
  }

  numberOf(id: string): number {
    const known = this.slots.find(id);
    return known >= 0 ? known : this.slots.take(id);
  }

  /** The id of a number. */
  idOf(number: number): string {
    return this.slots.idOf(number);
  }

  /** The numbers of those ids that have one. */
  known(ids: readonly string[]): Set<number> {
    return new Set(ids.map((id) => this.slots.find(id)).filter((number) => number >= 0));
  }
}
