/** Allocates runs of consecutive rows, reusing freed ones first. */
export class Runs {
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
}
