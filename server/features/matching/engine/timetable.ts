import { Columns } from './columns.ts';
import type { Stored } from './stored.ts';

const sliceSeconds = 15 * 60;
/** More rows a table, on average of a slice, and its tables are halved. */
const rowsPerTable = 128;
/** Maximum drives, in seconds, of the orders in each table: those of one table then have alike limits. */
const drivingLimits = [600, 1_200, 2_400, Infinity];

/** One row of a timetable: the fields of the first check of an order. */
export interface Row {
  slot: number;
  /** Seconds since 1970 between which the order may begin. */
  earliest: number;
  latest: number;
  /** Seconds after `latest` by which the order has surely ended. */
  span: number;
  /** The cells of its first and its last place; for several places, the first of each. */
  fromCell: number;
  toCell: number;
  /** Rides: seconds in the first cell before it can be left, and in the last one after it was entered. */
  leaving: number;
  entering: number;
  /** Seconds on free roads. Rides: the maximum drive in all. Requests: the least drive alone. */
  driving: number;
  seats: number;
  kind: number;
  /** Where the order begins, as `Areas` numbers it; `anywhere` where no area bounds it. */
  area: number;
}

/**
 * The words of a row, in the order they are read. Two fields of 16 bits share a word, and the last one holds
 * seats, kind (8 bits each) and area.
 */
export const rowWords = 8;
export const at = {
  slot: 0,
  earliest: 1,
  latest: 2,
  span: 3,
  /** `fromCell`, and `toCell` above it. */
  cells: 4,
  /** `leaving`, and `entering` above it. */
  inCells: 5,
  driving: 6,
  rest: 7,
} as const;
export const lowHalf = (word: number): number => word & 0xff_ff;
export const highHalf = (word: number): number => word >>> 16;
export const seatsOf = (rest: number): number => rest & 0xff;
export const kindOf = (rest: number): number => (rest >>> 8) & 0xff;
const areaOf = highHalf;

/** An area without a bound. */
export const anywhere = 0;

/**
 * The cells of a region and the areas they make together, as a tree: area 1 is all of them, and area n has
 * the halves 2n and 2n + 1. Cells are numbered by such halvings of the region (`roads/graph/cells.ts`), so
 * that an area is one piece of it. The last cell, beyond the region, belongs to none.
 */
export class Areas {
  private readonly cells: number;

  /** @param cellCount of the region, the last one included. */
  constructor(cellCount: number) {
    this.cells = cellCount - 1;
  }

  /** How often the region can be halved. */
  get depth(): number {
    return this.cells > 0 ? Math.log2(this.cells) : 0;
  }

  ofCell(cell: number): number {
    return cell < this.cells ? this.cells + cell : anywhere;
  }

  /** The smallest area with all of some cells. */
  ofAll(cells: Iterable<number>): number {
    let area: number | undefined;
    for (const cell of cells) {
      let other = this.ofCell(cell);
      if (other === anywhere) return anywhere;
      area ??= other;
      while (area !== other) {
        area >>>= 1;
        other >>>= 1;
      }
    }
    return area ?? anywhere;
  }

  /** The least of a number of all cells of each area, by area. */
  least(byCell: Int32Array): Int32Array {
    const { cells } = this;
    const least = new Int32Array(cells * 2);
    for (let cell = 0; cell < cells; cell++) least[cells + cell] = byCell[cell]!;
    for (let area = cells - 1; area > 0; area--)
      least[area] = Math.min(least[area * 2]!, least[area * 2 + 1]!);
    return least;
  }
}

/** Rows of one slice, one area and alike drives. */
class Table {
  readonly slice: Slice;
  /** Its position among all tables. */
  readonly number: number;
  words = new Int32Array(4 * rowWords);
  count = 0;
  /** The longest `latest - earliest + span`, and the longest drive so far. */
  reach = 0;
  mostDriving = -Infinity;

  constructor(slice: Slice, number: number) {
    this.slice = slice;
    this.number = number;
  }
}

class Slice {
  readonly key: number;
  count = 0;
  /** How often the region is halved for its tables. */
  depth = 0;
  /** By area and the class of their drives. */
  readonly tables = new Map<number, Table>();

  constructor(key: number) {
    this.key = key;
  }
}

/** The part of a timetable that is scanned. */
export interface Span {
  /** Seconds since 1970: all that begins by `until` and has not ended by `from`. */
  from: number;
  until: number;
  /**
   * Whether nothing that begins in an area can matter, whatever its drives up to one of `mostDriving`.
   * @param earliest seconds since 1970 before which none of it begins.
   */
  skips?: (area: number, mostDriving: number, earliest: number) => boolean;
}

/**
 * Orders by their earliest time, where they begin and how long they drive: flat tables, each of which is
 * skipped as a whole or scanned from end to end. The tables of a quarter of an hour are as many as its orders
 * ask for.
 */
export class Timetable {
  private readonly slices = new Map<number, Slice>();
  private readonly mostDepth: number;
  private readonly tables: (Table | null)[] = [];
  private readonly freeTables: number[] = [];
  /** By slot: the order's table and row. */
  private readonly places = new Columns({ table: Uint32Array, row: Uint32Array }, () => 0);
  private longest = 0;

  /** @param depth how often the region can be halved. */
  constructor(depth: number) {
    this.mostDepth = depth;
  }

  /** Bytes of its tables. */
  get bytes(): number {
    let bytes = this.places.bytes;
    for (const table of this.tables) bytes += table?.words.byteLength ?? 0;
    return bytes;
  }

  /** All rows, one after the other. */
  store(): Stored {
    const tables = this.tables.filter((table) => table !== null);
    const words = new Int32Array(tables.reduce((sum, { count }) => sum + count, 0) * rowWords);
    let filled = 0;
    for (const table of tables) {
      words.set(table.words.subarray(0, table.count * rowWords), filled);
      filled += table.count * rowWords;
    }
    return { words };
  }

  restore(stored: Stored): void {
    const words = stored['words']! as Int32Array;
    for (let row = 0; row < words.length; row += rowWords) this.take(words, row);
  }

  add(row: Row): void {
    this.take(
      Int32Array.of(
        row.slot,
        row.earliest,
        row.latest,
        row.span,
        row.fromCell | (row.toCell << 16),
        row.leaving | (row.entering << 16),
        row.driving,
        row.seats | (row.kind << 8) | (row.area << 16),
      ),
      0,
    );
  }

  remove(slot: number): void {
    const table = this.tables[this.places.at.table[slot]!]!;
    const row = this.places.at.row[slot]!;
    const last = --table.count;
    if (row !== last) {
      table.words.copyWithin(row * rowWords, last * rowWords, (last + 1) * rowWords);
      this.places.at.row[table.words[row * rowWords + at.slot]!] = row;
    }
    const { slice } = table;
    if (--slice.count > 0) return;
    for (const empty of slice.tables.values()) this.giveUp(empty);
    this.slices.delete(slice.key);
  }

  /** Passes every table that may hold what is asked for: its words, and how many of them are rows'. */
  scan({ from, until, skips }: Span, look: (words: Int32Array, end: number) => void): void {
    const first = Math.floor((from - this.longest) / sliceSeconds) - 1;
    const last = Math.floor(until / sliceSeconds);
    const visit = ({ key, tables }: Slice) => {
      const begins = key * sliceSeconds;
      for (const [name, table] of tables) {
        if (table.count === 0 || begins + sliceSeconds + table.reach < from) continue;
        const area = Math.floor(name / drivingLimits.length);
        if (area !== anywhere && skips?.(area, table.mostDriving, begins) === true) continue;
        look(table.words, table.count * rowWords);
      }
    };
    // An unbounded window is not walked quarter by quarter.
    if (last - first > this.slices.size) {
      for (const [key, slice] of this.slices) if (key >= first && key <= last) visit(slice);
      return;
    }
    for (let key = first; key <= last; key++) {
      const slice = this.slices.get(key);
      if (slice !== undefined) visit(slice);
    }
  }

  /** Takes in the row of which the words begin there. */
  private take(words: Int32Array, first: number): void {
    const key = Math.floor(words[first + at.earliest]! / sliceSeconds);
    let slice = this.slices.get(key);
    if (slice === undefined) this.slices.set(key, (slice = new Slice(key)));
    slice.count++;
    this.put(slice, words, first);
    if (slice.depth < this.mostDepth && slice.count > (rowsPerTable * drivingLimits.length) << slice.depth)
      this.halve(slice);
  }

  private put(slice: Slice, words: Int32Array, first: number): void {
    const table = this.tableOf(slice, areaOf(words[first + at.rest]!), words[first + at.driving]!);
    const row = table.count++;
    if (table.count * rowWords > table.words.length) {
      const larger = new Int32Array(table.words.length * 2);
      larger.set(table.words);
      table.words = larger;
    }
    for (let word = 0; word < rowWords; word++) table.words[row * rowWords + word] = words[first + word]!;
    const reach = words[first + at.latest]! - words[first + at.earliest]! + words[first + at.span]!;
    table.reach = Math.max(table.reach, reach);
    table.mostDriving = Math.max(table.mostDriving, words[first + at.driving]!);
    this.longest = Math.max(this.longest, reach);
    const slot = words[first + at.slot]!;
    this.places.ensure(slot + 1);
    this.places.at.table[slot] = table.number;
    this.places.at.row[slot] = row;
  }

  private tableOf(slice: Slice, area: number, driving: number): Table {
    let within = area;
    while (within >= 2 << slice.depth) within >>>= 1;
    const drives = drivingLimits.findIndex((limit) => driving <= limit);
    const name = within * drivingLimits.length + drives;
    let table = slice.tables.get(name);
    if (table !== undefined) return table;
    table = new Table(slice, this.freeTables.pop() ?? this.tables.length);
    slice.tables.set(name, table);
    this.tables[table.number] = table;
    return table;
  }

  /** Divides the rows of a slice among twice as many tables. */
  private halve(slice: Slice): void {
    const before = [...slice.tables.values()];
    slice.tables.clear();
    slice.depth++;
    for (const table of before) {
      this.giveUp(table);
      for (let row = 0; row < table.count; row++) this.put(slice, table.words, row * rowWords);
    }
  }

  private giveUp({ number }: Table): void {
    this.tables[number] = null;
    this.freeTables.push(number);
  }
}
