import type { Backfill } from './backfills.ts';
import type { Db } from './db.ts';

const pageSize = 1000;

interface PlacedRow {
  id: string;
  lon: number;
  lat: number;
}

/** A table of things that stand at a place, as its owner reads and writes it. */
export interface PlacedTable {
  /** The rows after a key, in the order of their keys. */
  page(tx: Db, after: string | null, limit: number): Promise<PlacedRow[]>;
  /** Writes the region of those rows that have none. @returns how many */
  fill(tx: Db, ids: readonly string[], region: string): Promise<number>;
}

/**
 * Rows that were written before they had a region have the one that their place lies in.
 * @param name of the backfill
 * @param regionIdAt the region of a point, as new rows have it
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
