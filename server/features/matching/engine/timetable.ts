import { Columns } from './columns.ts';
import type { Stored } from './stored.ts';

const sliceSeconds = 15 * 60;

/** One row of a timetable: the fields of the first check of an order, in the order they are read. */
const rowTypes = {
  slot: Uint32Array,
  /** Seconds since 1970 between which the order may begin. */
  earliest: Int32Array,
  latest: Int32Array,
  /** Seconds after `latest` by which the order has surely ended. */
  span: Int32Array,
  /** The cells of its first and its last place; for several places, the first of each. */
  fromCell: Uint16Array,
  toCell: Uint16Array,
  /** Rides: seconds in the first cell before it can be left, and in the last one after it was entered. */
  leaving: Uint16Array,
  entering: Uint16Array,
  /** Seconds on free roads. Rides: the maximum drive in all. Requests: the least drive alone. */
  driving: Int32Array,
  seats: Uint8Array,
  kind: Uint8Array,
};
export type Row = { [Name in keyof typeof rowTypes]: number };
export type Rows = Columns<typeof rowTypes>['at'];

class TimeSlice {
  readonly columns = new Columns(rowTypes, 16);
  count = 0;
  /** The longest `latest - earliest + span` so far. */
  reach = 0;
}

/**
 * Orders by their earliest time: each quarter of an hour is one flat table that is scanned from end to end.
 */
export class Timetable {
  private readonly slices = new Map<number, TimeSlice>();
  /** By slot: the order's slice and row. */
  private readonly places = new Columns({ slice: Int32Array, row: Uint32Array });
  private longest = 0;

  /** Bytes of its tables. */
  get bytes(): number {
    let bytes = this.places.bytes;
    for (const { columns } of this.slices.values()) bytes += columns.bytes;
    return bytes;
  }

  /** All rows, one after the other. */
  store(): Stored {
    const slices = [...this.slices.values()];
    const total = slices.reduce((sum, { count }) => sum + count, 0);
    return Object.fromEntries(
      (Object.keys(rowTypes) as (keyof Row)[]).map((name) => {
        const all = new rowTypes[name](total);
        let filled = 0;
        for (const { columns, count } of slices) {
          all.set(columns.at[name].subarray(0, count), filled);
          filled += count;
        }
        return [name, all];
      }),
    );
  }

  restore(stored: Stored): void {
    const names = Object.keys(rowTypes) as (keyof Row)[];
    const row = Object.fromEntries(names.map((name) => [name, 0])) as Row;
    for (let at = 0; at < stored['slot']!.length; at++) {
      for (const name of names) row[name] = stored[name]![at]!;
      this.add(row);
    }
  }

  add(row: Row): void {
    const key = Math.floor(row.earliest / sliceSeconds);
    const slice = this.slices.get(key) ?? new TimeSlice();
    this.slices.set(key, slice);
    const at = slice.count++;
    slice.columns.ensure(slice.count);
    for (const name of Object.keys(rowTypes) as (keyof Row)[]) slice.columns.at[name][at] = row[name];
    slice.reach = Math.max(slice.reach, row.latest - row.earliest + row.span);
    this.longest = Math.max(this.longest, slice.reach);
    this.places.ensure(row.slot + 1);
    this.places.at.slice[row.slot] = key;
    this.places.at.row[row.slot] = at;
  }

  remove(slot: number): void {
    const key = this.places.at.slice[slot]!;
    const row = this.places.at.row[slot]!;
    const slice = this.slices.get(key)!;
    const last = --slice.count;
    if (row !== last) {
      slice.columns.copy(last, row);
      this.places.at.row[slice.columns.at.slot[row]!] = row;
    }
    if (slice.count === 0) this.slices.delete(key);
  }

  /**
   * Passes every table that may hold an order which begins by `until` and has not ended by `from`.
   * @param from, until seconds since 1970.
   */
  scan(from: number, until: number, look: (rows: Rows, count: number) => void): void {
    const first = Math.floor((from - this.longest) / sliceSeconds) - 1;
    const last = Math.floor(until / sliceSeconds);
    const visit = (slice: TimeSlice, key: number) => {
      if ((key + 1) * sliceSeconds + slice.reach >= from) look(slice.columns.at, slice.count);
    };
    // An unbounded window is not walked quarter by quarter.
    if (last - first > this.slices.size) {
      for (const [key, slice] of this.slices) if (key >= first && key <= last) visit(slice, key);
      return;
    }
    for (let key = first; key <= last; key++) {
      const slice = this.slices.get(key);
      if (slice !== undefined) visit(slice, key);
    }
  }
}
