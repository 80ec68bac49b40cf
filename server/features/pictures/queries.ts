import { inArray } from 'drizzle-orm';
import type { Db } from '../../platform/database/db.ts';
import { pictures } from '../../schema/pictures.ts';

/** The sizes of these pictures, if they still exist. */
export async function pictureSizesOf(
  db: Db,
  pictureIds: readonly string[],
): Promise<Map<string, { width: number; height: number }>> {
  if (pictureIds.length === 0) return new Map();
  const rows = await db
    .select({ id: pictures.id, width: pictures.width, height: pictures.height })
    .from(pictures)
    .where(inArray(pictures.id, [...pictureIds]));
  return new Map(rows.map(({ id, ...size }) => [id, size]));
}
