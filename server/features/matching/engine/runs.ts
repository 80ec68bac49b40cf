import type { Part, Stored } from './stored.ts';

/** Allocates runs of consecutive rows, reusing freed ones first. */
export class Runs implements Part {
  readonly bytes = 0;
  /** Rows ever allocated. */
  end = 0;
  private readonly free: number[][] = [];

  take(length: number): number {
    const again = this.free[length]?.pop();
    if (again !== undefined) return again;
    this.end += length;
    return this.end - length;
  }

  give(first: number, length: number): void {
    (this.free[length] ??= []).push(first);
  }

  store(): Stored {
    const free = this.free.flatMap((firsts, length) => firsts.flatMap((first) => [first, length]));
    return { end: Uint32Array.of(this.end), free: Uint32Array.from(free) };
  }

  restore(stored: Stored): void {
    this.end = stored['end']![0]!;
    const free = stored['free']!;
    for (let i = 0; i < free.length; i += 2) this.give(free[i]!, free[i + 1]!);
  }
}
