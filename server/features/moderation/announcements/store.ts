import { and, desc, eq, gt, lte, or } from 'drizzle-orm';
import { mostAnnouncements } from '#contract/announcements/endpoints.ts';
import type { Db } from '../../../platform/database/db.ts';
import { firstRow } from '../../../platform/database/one-row.ts';
import type { Erasure } from '../../../platform/erasure.ts';
import { announcements } from '../../../schema/moderation.ts';
import { isOfCommunity } from '../../identity/queries.ts';

export type AnnouncementRow = typeof announcements.$inferSelect;

const mostListed = 100;

/** The announcements at an instant for everyone, and for the communities of a person; null: a guest. */
export const shownAt = (db: Db, now: Date, personId: string | null): Promise<AnnouncementRow[]> =>
  db
    .select()
    .from(announcements)
    .where(
      and(
        lte(announcements.fromAt, now),
        gt(announcements.untilAt, now),
        or(
          eq(announcements.community, ''),
          ...(personId === null ? [] : [isOfCommunity(personId, announcements.community)]),
        ),
      ),
    )
    .orderBy(desc(announcements.fromAt), desc(announcements.id))
    .limit(mostAnnouncements);

export const latest = (db: Db): Promise<AnnouncementRow[]> =>
  db
    .select()
    .from(announcements)
    .orderBy(desc(announcements.createdAt), desc(announcements.id))
    .limit(mostListed);

export async function insert(tx: Db, row: AnnouncementRow): Promise<void> {
  await tx.insert(announcements).values(row);
}

/** Ends one that has not ended; null if it has, or does not exist. */
export const endNow = (tx: Db, id: string, now: Date): Promise<AnnouncementRow | null> =>
  firstRow(
    tx
      .update(announcements)
      .set({ untilAt: now })
      .where(and(eq(announcements.id, id), gt(announcements.untilAt, now)))
      .returning(),
  );

export async function exists(tx: Db, id: string): Promise<boolean> {
  return (await tx.$count(announcements, eq(announcements.id, id))) > 0;
}

export const erasure = {
  announcements: (tx, personId) =>
    tx.update(announcements).set({ authorId: null }).where(eq(announcements.authorId, personId)),
} satisfies Erasure;
