import { and, asc, eq, ne, sql, type SQL } from 'drizzle-orm';
import { mostShortcuts } from '#contract/geo/endpoints.ts';
import type { AddressRange } from '#roads/places/addresses.ts';
import type { LonLat } from '#roads/graph/geometry.ts';
import { allowLongStatements, type Db } from '../../platform/database/db.ts';
import { changesAny } from '../../platform/database/one-row.ts';
import type { Erasure } from '../../platform/erasure.ts';
import { places, shortcuts } from '../../schema/geo.ts';
import { holdPerson } from '../identity/queries.ts';
import { allOf, anyOf, type PlaceQuery } from './rules/query.ts';

export type PlaceRow = Omit<typeof places.$inferSelect, 'range' | 'words' | 'nameVector' | 'pack'> & {
  range: AddressRange | null;
};
export type NewPlace = Omit<typeof places.$inferInsert, 'nameVector' | 'range'> & {
  range: AddressRange | null;
};
/** Without what triggers keep. */
export type ShortcutRow = Omit<typeof shortcuts.$inferSelect, 'shownWithinMetres'>;

const columns = sql`id, kind, name, other_names as "otherNames", category, street, town, postcode, lon, lat, importance, range`;
const metresPerDegree = 111_195;

const metresTo = (near: LonLat): SQL =>
  sql`sqrt(power((lon - ${near.lon}) * ${Math.cos((near.lat * Math.PI) / 180)}, 2) + power(lat - ${near.lat}, 2)) * ${metresPerDegree}`;

// The same measure as the ranking, so that the few rows selected here include its best ones.
const standing = (near: LonLat): SQL => sql`0.5 * importance - 0.1 * log(1 + ${metresTo(near)} / 1000)`;

/** A drive leads at most this far; airports beyond it only slow the search. */
const reachDegrees = 8;

/**
 * Named places, streets and airports where every given word is the prefix of a word, at least one of them in
 * the name; best first. Addresses as well, where the words contain a house number.
 */
export async function findByWords(
  db: Db,
  { words, context, address }: Pick<PlaceQuery, 'words' | 'context' | 'address'>,
  near: LonLat,
  most: number,
): Promise<PlaceRow[]> {
  // The condition of a partial index: thousands of addresses bear the words of a long street.
  const kinds = address === null ? sql`kind <> 'address'` : sql`range is null`;
  const reachLon = reachDegrees / Math.max(0.1, Math.cos((near.lat * Math.PI) / 180));
  const inContext = context.length === 0 ? sql`0` : sql`(name_vector @@ ${query(anyOf(context))})::int * 2`;
  const start = words.join(' ').replaceAll(/[\\%_]/g, '');
  return rowsOf(
    db,
    sql`select ${columns} from places
      where name_vector @@ ${query(allOf(words))} and name_vector @@ ${query(anyOf(words, 'A'))} and ${kinds}
        and (pack <> 'world' or (abs(lon - ${near.lon}) < ${reachLon} and abs(lat - ${near.lat}) < ${reachDegrees}))
      order by (name_vector @@ ${query(allOf(words, 'A'))})::int * 2 + (words like ${`${start}%`})::int
        + (name_vector @@ ${query(wholly(words))})::int * 0.3 + ${inContext} + ${standing(near)} desc
      limit ${most}`,
  );
}

/** Address ranges that contain a house number and whose street has the words. */
export async function findHouseNumber(
  db: Db,
  { houseNumber, words }: { houseNumber: number; words: readonly string[] },
  near: LonLat,
  most: number,
): Promise<PlaceRow[]> {
  return rowsOf(
    db,
    sql`select ${columns} from places
      where kind = 'address' and range is not null
        and name_vector @@ ${query(allOf(words))} and name_vector @@ ${query(anyOf(words, 'A'))}
        and ${houseNumber} between least((range->>'from')::int, (range->>'to')::int)
          and greatest((range->>'from')::int, (range->>'to')::int)
      order by (name_vector @@ ${query(wholly(words))})::int + ${standing(near)} desc
      limit ${most}`,
  );
}

/** Places other than addresses whose words are similar to a misspelled text. */
export async function findAlike(db: Db, text: string, near: LonLat, most: number): Promise<PlaceRow[]> {
  return db.transaction(async (tx) => {
    await tx.execute(sql`set local pg_trgm.word_similarity_threshold = 0.35`);
    return rowsOf(
      tx,
      sql`select ${columns} from places
        where words %> ${text} and kind <> 'address'
        order by 3 * word_similarity(${text}, words) + ${standing(near)} desc
        limit ${most}`,
    );
  });
}

/** All places in a square around a point, `metres` to each side. */
export async function findAround(
  db: Db,
  at: LonLat,
  metres: number,
  kinds: readonly PlaceRow['kind'][],
): Promise<PlaceRow[]> {
  const dLat = metres / metresPerDegree;
  const dLon = dLat / Math.max(0.01, Math.cos((at.lat * Math.PI) / 180));
  return rowsOf(
    db,
    sql`select ${columns} from places
      where lon between ${at.lon - dLon} and ${at.lon + dLon} and lat between ${at.lat - dLat} and ${at.lat + dLat}
        and kind in ${kinds}
      order by ${metresTo(at)} limit 500`,
  );
}

async function rowsOf(db: Db, statement: SQL): Promise<PlaceRow[]> {
  const { rows } = await db.execute<Record<string, unknown> & PlaceRow>(statement);
  return rows;
}

const query = (text: string): SQL => sql`to_tsquery('simple', ${text})`;
const wholly = (words: readonly string[]): string => words.map((word) => `'${word}':A`).join(' & ');

// An arbitrary lock number, the same in every process: its holder imports places.
const importLock = 7_302_002;

/**
 * Waits until no other process imports places; locked to the end of the transaction, which may exceed the
 * usual limits on pauses and statements: it runs at a start, and no call waits for it.
 */
export async function lockImport(tx: Db): Promise<void> {
  await allowLongStatements(tx);
  await tx.execute(sql`set local lock_timeout = 0`);
  await tx.execute(sql`set local idle_in_transaction_session_timeout = 0`);
  await tx.execute(sql`select pg_advisory_xact_lock(${importLock})`);
}

export async function removePlaces(tx: Db, which: 'of regions' | 'of the world'): Promise<void> {
  await tx
    .delete(places)
    .where(which === 'of the world' ? eq(places.pack, 'world') : ne(places.pack, 'world'));
}

/** The value of `pack` for towns of the world list. */
export const citiesPack = 'cities';

/** Deletes towns of the world list that a region pack also has, within some ten kilometers. */
export async function removeCitiesOfPacks(tx: Db): Promise<void> {
  await tx.execute(sql`
    delete from places city using places known
    where city.pack = ${citiesPack} and known.pack not in (${citiesPack}, 'world') and known.kind = 'town'
      and lower(known.name) = lower(city.name)
      and abs(known.lon - city.lon) < 0.15 and abs(known.lat - city.lat) < 0.1`);
}

export async function insertPlaces(tx: Db, rows: readonly NewPlace[]): Promise<void> {
  await tx.execute(sql`
    insert into places (id, pack, kind, name, other_names, category, street, town, postcode, lon, lat, importance, range, words)
    select id, pack, kind, name, coalesce("otherNames", '{}'), category, street, town, postcode, lon, lat, importance, range, words
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as row(id text, pack text, kind text, name text,
      "otherNames" text[], category text, street text, town text, postcode text, lon float8, lat float8, importance float8, range jsonb, words text)
    on conflict (id) do nothing`);
}

/** Cleans the index and updates statistics, so that new entries are found as fast as old ones. */
export async function settlePlaces(tx: Db): Promise<void> {
  // VACUUM would do both, but cannot run in a transaction, so the statement limit would apply.
  // A function that runs as the schema's owner does it.
  await tx.execute(sql`select refresh_place_indexes()`);
}

export async function listShortcuts(db: Db, ownerId: string): Promise<ShortcutRow[]> {
  return db
    .select()
    .from(shortcuts)
    .where(eq(shortcuts.ownerId, ownerId))
    .orderBy(asc(shortcuts.position), asc(shortcuts.createdAt), asc(shortcuts.id))
    .limit(mostShortcuts);
}

/** How many shortcuts a person has; locks the person so that no other is added until the transaction ends. */
export async function lockAndCountShortcuts(tx: Db, ownerId: string): Promise<number> {
  await holdPerson(tx, ownerId);
  return tx.$count(shortcuts, eq(shortcuts.ownerId, ownerId));
}

export async function insertShortcut(tx: Db, row: typeof shortcuts.$inferInsert): Promise<void> {
  await tx.insert(shortcuts).values(row);
}

export const updateShortcut = (
  tx: Db,
  ownerId: string,
  shortcutId: string,
  change: Partial<typeof shortcuts.$inferInsert>,
): Promise<boolean> => changesAny(tx.update(shortcuts).set(change).where(own(ownerId, shortcutId)));

export const deleteShortcut = (tx: Db, ownerId: string, shortcutId: string): Promise<boolean> =>
  changesAny(tx.delete(shortcuts).where(own(ownerId, shortcutId)));

const own = (ownerId: string, shortcutId: string) =>
  and(eq(shortcuts.ownerId, ownerId), eq(shortcuts.id, shortcutId));

export const erasure = {
  shortcuts: (tx, personId) => tx.delete(shortcuts).where(eq(shortcuts.ownerId, personId)),
} satisfies Erasure;
