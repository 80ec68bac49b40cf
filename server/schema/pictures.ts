import { sql } from 'drizzle-orm';
import { index, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { picturePurposes } from '#contract/pictures/endpoints.ts';
import { deletedWith, instantColumn } from './columns.ts';
import { users } from './identity.ts';

/** Pictures that people uploaded, re-encoded; the bytes lie in the file store under `objectKey`. */
export const pictures = pgTable(
  'pictures',
  {
    id: uuid('id').primaryKey(),
    ownerId: deletedWith('owner_id', () => users.id).notNull(),
    purpose: text('purpose', { enum: picturePurposes }).notNull(),
    objectKey: text('object_key').notNull(),
    width: integer('width').notNull(),
    height: integer('height').notNull(),
    createdAt: instantColumn('created_at').notNull(),
    /**
     * When it became an avatar, part of an application or a message; the server deletes a
     * picture that stays unused for a day.
     */
    usedAt: instantColumn('used_at'),
  },
  (t) => [
    index('pictures_owner').on(t.ownerId),
    index('pictures_unused')
      .on(t.createdAt)
      .where(sql`used_at is null`),
  ],
);

/**
 * Files whose picture is gone, however it went (a trigger writes them); removed from the file store and then
 * from here.
 */
export const removedFiles = pgTable('removed_files', {
  objectKey: text('object_key').primaryKey(),
});
