import { and, asc, count, eq, inArray, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { Db } from '../../base/db.ts';
import { contacts, taggedContacts, tags } from '../../tables/contacts.ts';

export type ContactRow = typeof contacts.$inferSelect & { tagIds: string[] };
export type TagRow = typeof tags.$inferSelect;

/** A person's contacts, each with those of the person's own tags that hold it. */
export async function contactsOf(db: Db, ownerId: string): Promise<ContactRow[]> {
  const rows = await db.select().from(contacts).where(eq(contacts.ownerId, ownerId));
  const tagged = await db
    .select({ tagId: taggedContacts.tagId, userId: taggedContacts.userId })
    .from(taggedContacts)
    .innerJoin(tags, eq(tags.id, taggedContacts.tagId))
    .where(eq(tags.ownerId, ownerId))
    .orderBy(asc(tags.name));
  const tagIds = Map.groupBy(tagged, (row) => row.userId);
  return rows.map((row) => ({
    ...row,
    tagIds: (tagIds.get(row.otherId) ?? []).map((each) => each.tagId),
  }));
}

export async function contactIds(db: Db, ownerId: string): Promise<string[]> {
  const rows = await db
    .select({ otherId: contacts.otherId })
    .from(contacts)
    .where(eq(contacts.ownerId, ownerId));
  return rows.map((row) => row.otherId);
}

export async function areContacts(db: Db, a: string, b: string): Promise<boolean> {
  const rows = await db
    .select({ one: sql`1` })
    .from(contacts)
    .where(and(eq(contacts.ownerId, a), eq(contacts.otherId, b)));
  return rows.length > 0;
}

/** How many contacts each of the others has in common with the viewer; those with none are left out. */
export async function countInCommon(
  db: Db,
  viewerId: string,
  otherIds: readonly string[],
): Promise<Map<string, number>> {
  if (otherIds.length === 0) return new Map();
  const theirs = alias(contacts, 'theirs');
  const rows = await db
    .select({ id: theirs.ownerId, size: count() })
    .from(contacts)
    .innerJoin(theirs, eq(theirs.otherId, contacts.otherId))
    .where(and(eq(contacts.ownerId, viewerId), inArray(theirs.ownerId, [...otherIds])))
    .groupBy(theirs.ownerId);
  return new Map(rows.map((row) => [row.id, row.size]));
}

/** A pair of contacts is two rows; one that exists stays as it is. */
export async function insertPair(
  tx: Db,
  pair: { a: string; b: string; origin: ContactRow['origin']; at: Date },
): Promise<void> {
  const { a, b, origin, at } = pair;
  await tx
    .insert(contacts)
    .values([
      { ownerId: a, otherId: b, origin, createdAt: at },
      { ownerId: b, otherId: a, origin, createdAt: at },
    ])
    .onConflictDoNothing();
}

/** A person's tags by name, with how many contacts each holds. */
export const tagsOf = (db: Db, ownerId: string): Promise<{ id: string; name: string; size: number }[]> =>
  db
    .select({ id: tags.id, name: tags.name, size: count(taggedContacts.userId) })
    .from(tags)
    .leftJoin(taggedContacts, eq(taggedContacts.tagId, tags.id))
    .where(eq(tags.ownerId, ownerId))
    .groupBy(tags.id)
    .orderBy(asc(tags.name));

export async function insertTag(tx: Db, tag: TagRow, userIds: readonly string[]): Promise<void> {
  await tx.insert(tags).values(tag);
  if (userIds.length > 0)
    await tx.insert(taggedContacts).values(userIds.map((userId) => ({ tagId: tag.id, userId })));
}
