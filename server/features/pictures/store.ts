import { and, eq, inArray, isNull, sql } from 'drizzle-orm';
import type { Db } from '../../platform/database/db.ts';
import { firstRow } from '../../platform/database/one-row.ts';
import { inPages } from '../../platform/database/delete-pages.ts';
import { pictures, removedFiles } from '../../schema/pictures.ts';

export type PictureRow = typeof pictures.$inferSelect;

/** How many rows or files are cleared at a time. */
const batch = 50;

export async function insertPicture(db: Db, row: typeof pictures.$inferInsert): Promise<void> {
  await db.insert(pictures).values(row);
}

export const findPicture = (db: Db, id: string): Promise<PictureRow | null> =>
  firstRow(db.select().from(pictures).where(eq(pictures.id, id)));

export function picturesByIds(db: Db, ids: readonly string[]): Promise<PictureRow[]> {
  if (ids.length === 0) return Promise.resolve([]);
  return db
    .select()
    .from(pictures)
    .where(inArray(pictures.id, [...ids]));
}

export const picturesOf = (db: Db, ownerId: string): Promise<PictureRow[]> =>
  db.select().from(pictures).where(eq(pictures.ownerId, ownerId)).orderBy(pictures.createdAt);

/**
 * Marks unused pictures of this owner and purpose as used; leaves out of the result those that are not
 * theirs, used or gone.
 */
export const usePictures = (
  tx: Db,
  of: { ownerId: string; purpose: PictureRow['purpose']; ids: readonly string[] },
  at: Date,
): Promise<PictureRow[]> =>
  tx
    .update(pictures)
    .set({ usedAt: at })
    .where(
      and(
        inArray(pictures.id, [...of.ids]),
        eq(pictures.ownerId, of.ownerId),
        eq(pictures.purpose, of.purpose),
        isNull(pictures.usedAt),
      ),
    )
    .returning();

/** Removes pictures in the caller's transaction; a scheduled task deletes their files. */
export async function removePictures(tx: Db, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await tx.delete(pictures).where(inArray(pictures.id, [...ids]));
}

/** Removes all of a person's uploads, in the caller's transaction; a scheduled task deletes the files. */
export async function removePicturesOf(tx: Db, ownerId: string): Promise<void> {
  await tx.delete(pictures).where(eq(pictures.ownerId, ownerId));
}

export const deleteUnused = (db: Db, madeBefore: Date): Promise<void> =>
  inPages(
    pictures,
    sql`where used_at is null and created_at < ${madeBefore.toISOString()} order by created_at`,
    (page) => db.delete(pictures).where(page),
  );

export async function filesToRemove(db: Db): Promise<string[]> {
  const rows = await db.select().from(removedFiles).limit(batch);
  return rows.map((row) => row.objectKey);
}

export async function noteRemoved(db: Db, objectKey: string): Promise<void> {
  await db.delete(removedFiles).where(eq(removedFiles.objectKey, objectKey));
}
