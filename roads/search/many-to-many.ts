import type { Label } from './label.ts';

/**
 * Labels of many targets sorted into buckets by hub, so that one label from a start finds all targets at once
 * (S. Knopp, P. Sanders, D. Schultes, F. Schulz, D. Wagner: Computing Many-to-Many Shortest Paths Using
 * Highway Hierarchies, ALENEX 2007). Filled, read and cleared for each table; the memory is reused.
 */
export class BucketTable {
  /** The newest entry of each hub's bucket, -1 when empty; entries are chained. */
  private readonly newest: Int32Array;
  private readonly older: number[] = [];
  private readonly columns: number[] = [];
  private readonly weights: number[] = [];
  private readonly hubs: number[] = [];

  constructor(hubs: number) {
    this.newest = new Int32Array(hubs).fill(-1);
  }

  /**
   * Puts the label of a target into the buckets.
   * @param column the target's position in the rows.
   */
  add({ hubs, weights }: Label, column: number): void {
    for (let i = 0; i < hubs.length; i++) {
      const hub = hubs[i]!;
      const entry = this.hubs.push(hub) - 1;
      this.older.push(this.newest[hub]!);
      this.columns.push(column);
      this.weights.push(weights[i]!);
      this.newest[hub] = entry;
    }
  }

  /** Lowers a row of weights, one for each target, to the best drives from the label's point. */
  lower({ hubs, weights }: Label, row: Float64Array): void {
    const { newest, older, columns, weights: onward } = this;
    for (let i = 0; i < hubs.length; i++) {
      const weight = weights[i]!;
      for (let entry = newest[hubs[i]!]!; entry >= 0; entry = older[entry]!) {
        const total = weight + onward[entry]!;
        if (total < row[columns[entry]!]!) row[columns[entry]!] = total;
      }
    }
  }

  clear(): void {
    for (const hub of this.hubs) this.newest[hub] = -1;
    for (const list of [this.older, this.columns, this.weights, this.hubs]) list.length = 0;
  }
}
