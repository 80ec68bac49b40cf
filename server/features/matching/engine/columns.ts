import type { Part, Stored } from './stored.ts';

type Column = Uint8Array | Uint16Array | Uint32Array | Int32Array | Float64Array;
type ColumnType = new (length: number) => Column;
type ColumnsOf<Types extends Record<string, ColumnType>> = {
  [Name in keyof Types]: InstanceType<Types[Name]>;
};

/** Rows in flat arrays that grow together: a million rows are a dozen objects. */
export class Columns<Types extends Record<string, ColumnType>> implements Part {
  /** Read them again after `ensure`: growing replaces them. */
  at: ColumnsOf<Types>;
  capacity: number;
  private readonly types: Types;
  private readonly rows: () => number;

  /** @param rows how many rows there are to be stored */
  constructor(types: Types, rows: () => number, capacity = 256) {
    this.types = types;
    this.rows = rows;
    this.capacity = capacity;
    this.at = this.made(capacity);
  }

  /** Bytes of the allocated rows. */
  get bytes(): number {
    return Object.values(this.at).reduce((sum, { byteLength }) => sum + byteLength, 0);
  }

  /** Allocates space for rows 0 … rows - 1. */
  ensure(rows: number): void {
    if (rows <= this.capacity) return;
    const before = this.at;
    this.capacity = Math.max(rows, Math.ceil(this.capacity * 1.5));
    this.at = this.made(this.capacity);
    for (const name of Object.keys(this.types)) this.at[name]!.set(before[name]!);
  }

  /** Copies one row over another. */
  copy(from: number, to: number): void {
    for (const name of Object.keys(this.types)) this.at[name]![to] = this.at[name]![from]!;
  }

  store(): Stored {
    const rows = this.rows();
    return Object.fromEntries(Object.entries(this.at).map(([name, column]) => [name, column.slice(0, rows)]));
  }

  restore(stored: Stored): void {
    this.ensure(this.rows());
    for (const name of Object.keys(this.types)) this.at[name]!.set(stored[name]!);
  }

  private made(capacity: number): ColumnsOf<Types> {
    const made = Object.entries(this.types).map(([name, type]) => [name, new type(capacity)]);
    return Object.fromEntries(made) as ColumnsOf<Types>;
  }
}
