/** Gives out runs of consecutive rows, and those that were given back first. */
export class Runs {
  /** Rows ever given out. */
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
}
