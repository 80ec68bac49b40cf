import type { Backfill } from './backfills.ts';
import type { Db } from './db.ts';

const pageSize = 1000;

interface PlacedRow {
  id: string;
  lon: number;
  lat: number;
}

/** A table whose rows have a place, with its owner's functions to read and write it. */
export interface PlacedTable {
  /** The rows after a key, ordered by key. */
  page(tx: Db, after: string | null, limit: number): Promise<PlacedRow[]>;
  /** Sets the region of the rows that have none. @returns how many */
  fill(tx: Db, ids: readonly string[], region: string): Promise<number>;
}

/**
 * Gives rows without a region the one that their place is in.
 * @param name of the backfill
 * @param regionIdAt the region of a point, as in new rows
 */
export const regionByPlace = (
  name: string,
  table: PlacedTable,
  regionIdAt: (at: { lon: number; lat: number }) => string,
): Backfill => ({
  name,
  async fillPage(tx, after) {
    const page = await table.page(tx, after, pageSize);
    const byRegion = Map.groupBy(page, regionIdAt);
    let filled = 0;
    for (const [region, rows] of byRegion)
      if (region !== '')
        filled += await table.fill(
          tx,
          rows.map(({ id }) => id),
          region,
        );
    return { last: page.at(-1)?.id ?? null, filled };
  },
});
