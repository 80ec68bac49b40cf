import type { RowsOfTable, Write } from './store.ts';

/** Rows of one table that a transaction has locked or made, and what is still to be written of them. */
export class ChangedRows<Row extends { id: string }> {
  readonly #table: RowsOfTable<Row>;
  readonly #versionOf: ((row: Row) => number) | null;
  readonly #rows = new Map<string, Row>();
  readonly #inserted = new Set<string>();
  /** The columns that have changed, and the row as it was written last. */
  readonly #changed = new Map<string, { keys: Set<string>; was: Row }>();

  /** @param versionOf given where the rows themselves are not locked */
  constructor(table: RowsOfTable<Row>, versionOf: ((row: Row) => number) | null = null) {
    this.#table = table;
    this.#versionOf = versionOf;
  }

  get = (id: string): Row | null => this.#rows.get(id) ?? null;
  all = (): Row[] => [...this.#rows.values()];

  /** Takes a row as the database has it; one that is known already may have changes to be written. */
  read(row: Row): Row {
    const known = this.#rows.get(row.id);
    if (known !== undefined) return known;
    this.#rows.set(row.id, row);
    return row;
  }

  insert(row: Row): Row {
    this.#rows.set(row.id, row);
    this.#inserted.add(row.id);
    return row;
  }

  /** Returns the row after the change. @throws Error where it is not locked */
  change(id: string, set: Partial<Row>): Row {
    const was = this.#rows.get(id);
    if (was === undefined) throw new Error(`${id} is not locked`);
    const keys = Object.entries(set).flatMap(([key, value]) =>
      value !== undefined && isOther(was[key as keyof Row], value) ? [key] : [],
    );
    const row = { ...was, ...Object.fromEntries(keys.map((key) => [key, set[key as keyof Row]])) };
    this.#rows.set(id, row);
    if (this.#inserted.has(id) || keys.length === 0) return row;
    const changed = this.#changed.get(id) ?? { keys: new Set<string>(), was };
    this.#changed.set(id, { ...changed, keys: new Set([...changed.keys, ...keys]) });
    return row;
  }

  /** Has a column written although it stays the same, for what the database makes of it. */
  touch(id: string, key: keyof Row & string): void {
    const was = this.#rows.get(id);
    if (was === undefined || this.#inserted.has(id)) return;
    const changed = this.#changed.get(id) ?? { keys: new Set<string>(), was };
    this.#changed.set(id, { ...changed, keys: new Set([...changed.keys, key]) });
  }

  /** The rows that are to be written. */
  unwritten = (): Row[] => [...this.#inserted, ...this.#changed.keys()].map((id) => this.#rows.get(id)!);

  /** The writes that are left: one inserts, the others update rows of which the same columns have changed. */
  takeWrites(): Write[] {
    const inserted = [...this.#inserted].map((id) => this.#rows.get(id)!);
    this.#inserted.clear();
    return [...(inserted.length > 0 ? [this.#table.inserting(inserted)] : []), ...this.takeUpdates()];
  }

  /** The updates that are left, of the rows that are meant. */
  takeUpdates(isMeant: (row: Row) => boolean = () => true): Write[] {
    const changed = [...this.#changed].filter(([id]) => isMeant(this.#rows.get(id)!));
    for (const [id] of changed) this.#changed.delete(id);
    const alike = Map.groupBy(changed, ([, { keys }]) => [...keys].toSorted().join(' '));
    return [...alike].map(([keys, rows]) =>
      this.#table.updating(
        keys.split(' '),
        rows.map(([id, { was }]) => ({
          row: this.#rows.get(id)!,
          ...(this.#versionOf === null ? {} : { version: this.#versionOf(was) }),
        })),
      ),
    );
  }

  forget(): void {
    this.#rows.clear();
    this.#inserted.clear();
    this.#changed.clear();
  }
}

const isOther = (was: unknown, is: unknown): boolean =>
  was instanceof Date && is instanceof Date ? was.getTime() !== is.getTime() : was !== is;
