import { randomUUID } from 'node:crypto';
import type { z } from 'zod';
import type {
  announce as announceCall,
  Announcement,
  ShownAnnouncement,
} from '#contract/announcements/endpoints.ts';
import type { App } from '../../../app-type.ts';
import type { Db } from '../../../platform/database/db.ts';
import { movedOn, notFound, refuseField } from '../../../platform/refusal.ts';
import { noteDeed } from '../../../platform/security/audit-log.ts';
import * as store from './store.ts';

type Announced = z.output<(typeof announceCall)['input']>;

/** The announcements that a person sees now; guests see those for everyone. */
export async function currentAnnouncements(
  { db, clock }: App,
  personId: string | null,
): Promise<ShownAnnouncement[]> {
  return (await store.shownAt(db, clock.now(), personId)).map(viewShown);
}

export const listAnnouncements = async ({ clock, db }: App): Promise<Announcement[]> => {
  const now = clock.now();
  return (await store.latest(db)).map((row) => viewAnnouncement(row, now));
};

export const publishAnnouncement = ({ transact, clock }: App, adminId: string, input: Announced) =>
  transact('publish announcement', (tx) => announce(tx, { adminId, now: clock.now() }, input));

export const takeDownAnnouncement = ({ transact, clock }: App, adminId: string, id: string) =>
  transact('take down announcement', (tx) => endAnnouncement(tx, { adminId, now: clock.now() }, id));

interface By {
  /** Null for the command line. */
  adminId: string | null;
  now: Date;
}

/**
 * Publishes an announcement. Refuses `announcement.past` if it would have ended already, `announcement.order`
 * if it ends before it begins.
 */
export async function announce(
  tx: Db,
  { adminId, now }: By,
  { title, text, fromAt, untilAt, community }: Announced,
): Promise<Announcement> {
  const from = fromAt === null ? now : new Date(fromAt);
  const until = new Date(untilAt);
  if (until <= now) throw refuseField('announcement.past', 'untilAt', 'Please select an end in the future.');
  if (until <= from)
    throw refuseField('announcement.order', 'untilAt', 'Please select an end after the start.');
  const row: store.AnnouncementRow = {
    id: randomUUID(),
    titleEn: title.en,
    titleZh: title.zh,
    textEn: text.en,
    textZh: text.zh,
    fromAt: from,
    untilAt: until,
    community,
    authorId: adminId,
    createdAt: now,
  };
  await store.insert(tx, row);
  await noteDeed(
    tx,
    { adminId, action: 'announcement.made', personId: null, thingId: row.id, note: title.en },
    now,
  );
  return viewAnnouncement(row, now);
}

/** Takes one down. Refuses `announcement.notFound`, and `admin.movedOn` if it has ended. */
export async function endAnnouncement(tx: Db, { adminId, now }: By, id: string): Promise<Announcement> {
  const row = await store.endNow(tx, id, now);
  if (row === null)
    throw (await store.exists(tx, id))
      ? movedOn('admin.movedOn', 'This announcement has already ended.')
      : notFound('announcement.notFound');
  await noteDeed(
    tx,
    { adminId, action: 'announcement.ended', personId: null, thingId: id, note: row.titleEn },
    now,
  );
  return viewAnnouncement(row, now);
}

/** The latest, for the command line. */
export const latestAnnouncements = async (db: Db, now: Date): Promise<Announcement[]> =>
  (await store.latest(db)).map((row) => viewAnnouncement(row, now));

const viewShown = (row: store.AnnouncementRow): ShownAnnouncement => ({
  id: row.id,
  title: { en: row.titleEn, zh: row.titleZh },
  text: { en: row.textEn, zh: row.textZh },
});

const viewAnnouncement = (row: store.AnnouncementRow, now: Date): Announcement => ({
  ...viewShown(row),
  fromAt: row.fromAt.toISOString(),
  untilAt: row.untilAt.toISOString(),
  community: row.community,
  state: row.untilAt <= now ? 'over' : row.fromAt > now ? 'planned' : 'shown',
  createdAt: row.createdAt.toISOString(),
});
