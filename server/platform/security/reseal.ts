import { and, count, gt, isNotNull, sql } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import { hourMs, later, secondMs } from '../clock.ts';
import type { Db } from '../database/db.ts';
import type { Platform } from '../platform.ts';
import type { ScheduledTask } from '../queue/scheduler.ts';
import { timeLimit } from '../queue/time-limit.ts';
import type { Seal } from './seal.ts';

/** A column with encrypted values, as the feature that owns the table describes it. */
export interface SealedColumn {
  table: PgTable;
  /** The column that the rows are ordered by, a UUID. */
  id: PgColumn;
  value: PgColumn;
  /** The thing that the value of a row belongs to, as `Seal` takes it. */
  whoseOf(id: string): string;
  /** Writes the value of a row, unless it has changed meanwhile or is gone. */
  replace(db: Db, row: { id: string; before: string; sealed: string }): Promise<{ rowCount: number | null }>;
}

const pageSize = 200;
/** How long a round works and then pauses, so that others can use the database. */
const roundMs = 500;

/** How far the values of all columns are. */
export interface SealedCounts {
  /** Encrypted with the first key. */
  current: number;
  /** Encrypted with another key, which must still be among `SEAL_KEYS`. */
  former: number;
}

export async function countSealed(
  db: Db,
  seal: Seal,
  columns: readonly SealedColumn[],
): Promise<SealedCounts> {
  const begin = `${await seal.keyId()}.`;
  const counts = await Promise.all(
    columns.map(async ({ table, value }) => {
      const isCurrent = sql`starts_with(${value}, ${begin})`;
      const [row] = await db
        .select({
          current: sql<number>`count(*) filter (where ${isCurrent})`.mapWith(Number),
          all: count(),
        })
        .from(table)
        .where(isNotNull(value));
      return row!;
    }),
  );
  const current = counts.reduce((sum, each) => sum + each.current, 0);
  return { current, former: counts.reduce((sum, each) => sum + each.all, 0) - current };
}

/** Where a run is: the next column, and the last row before it. */
interface Place {
  column: number;
  after: string | null;
}
const start: Place = { column: 0, after: null };

/**
 * Encrypts the values of a page that another key has encrypted again with the first key. A value that no key
 * decrypts stays as it is.
 * @returns where to go on (null at the end), how many values it encrypted, and how many no key decrypts
 */
async function resealPage(
  db: Db,
  seal: Seal,
  columns: readonly SealedColumn[],
  { column: index, after }: Place,
): Promise<{ next: Place | null; sealed: number; unreadable: number }> {
  const column = columns[index];
  if (column === undefined) return { next: null, sealed: 0, unreadable: 0 };
  const { table, id, value, whoseOf, replace } = column;
  const isFormer = sql`not starts_with(${value}, ${`${await seal.keyId()}.`})`;
  const rows = (await db
    .select({ id, value })
    .from(table)
    .where(and(isFormer, after === null ? undefined : gt(id, after)))
    .orderBy(id)
    .limit(pageSize)) as { id: string; value: string }[];
  let [sealed, unreadable] = [0, 0];
  for (const row of rows) {
    const whose = whoseOf(row.id);
    const opened = await seal.open(row.value, whose).catch(() => null);
    if (opened === null) {
      unreadable += 1;
      continue;
    }
    const fresh = { id: row.id, before: row.value, sealed: await seal.seal(opened, whose) };
    sealed += (await replace(db, fresh)).rowCount ?? 0;
  }
  const last = rows.at(-1)?.id;
  const next = last === undefined ? { column: index + 1, after: null } : { column: index, after: last };
  return { next, sealed, unreadable };
}

/** Encrypts all values that another key has encrypted again with the first key, page by page. */
export async function resealAll(
  db: Db,
  seal: Seal,
  columns: readonly SealedColumn[],
): Promise<{ sealed: number; unreadable: number }> {
  const done = { sealed: 0, unreadable: 0 };
  for (let at: Place | null = start; at !== null;) {
    const page = await resealPage(db, seal, columns, at);
    done.sealed += page.sealed;
    done.unreadable += page.unreadable;
    at = page.next;
  }
  return done;
}

/**
 * The task in which one process does the same in the background, after each start and once an hour: processes
 * that still have the former first key may have written more. It keeps no progress: the values that are left
 * are those of other keys, so a killed run loses nothing.
 */
export function scheduleReseal(
  { db, seal, log, clock }: Pick<Platform, 'db' | 'seal' | 'log' | 'clock'>,
  columns: readonly SealedColumn[],
): ScheduledTask {
  let at: Place | null = start;
  let restsUntil = new Date(0);
  let done = { sealed: 0, unreadable: 0 };
  return {
    name: 'sealed values',
    everyMs: secondMs,
    isApart: true,
    async run() {
      if (at === null) {
        if (clock.now() < restsUntil) return;
        [at, done] = [start, { sealed: 0, unreadable: 0 }];
      }
      const isOver = timeLimit(roundMs);
      do {
        const page = await resealPage(db, seal, columns, at);
        done = { sealed: done.sealed + page.sealed, unreadable: done.unreadable + page.unreadable };
        at = page.next;
      } while (at !== null && !isOver());
      if (at !== null) {
        log.debug(done, 'values are being encrypted with the first key');
        return;
      }
      restsUntil = later(clock.now(), hourMs);
      if (done.sealed > 0) log.info(done, 'values are encrypted with the first key');
      if (done.unreadable > 0)
        log.error(done, 'values are encrypted with a key that is missing from SEAL_KEYS');
    },
  };
}
