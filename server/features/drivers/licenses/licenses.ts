import { randomUUID } from 'node:crypto';
import type { License, waitingLicenses } from '#contract/licenses/endpoints.ts';
import type { OutputOf } from '#contract/define.ts';
import type { App } from '../../../app-type.ts';
import type { Db } from '../../../platform/database/db.ts';
import { refuseField, movedOn, type Refusal } from '../../../platform/refusal.ts';
import { fullNamesOf, staffWith } from '../../identity/queries.ts';
import { contactDetailsOf, peopleByIds } from '../../identity/service.ts';
import { removePictures, takePictures, signedAddress } from '../../pictures/service.ts';
import { acceptedEmail, rejectedEmail } from './rules/emails.ts';
import * as store from './store.ts';
import type { LicenseRow } from './store.ts';

/** The person's own license as last sent, or null. */
export async function readLicense(app: App, userId: string): Promise<License | null> {
  const row = await store.latestLicense(app.db, userId);
  return row === null ? null : licenseWithPhotos(app, row);
}

/**
 * Sends two uploaded photos for review; withdraws the person's photos that still wait, so that an admin never
 * decides about unseen photos. Refuses `license.samePhoto`, `upload.gone`.
 */
export async function sendLicense(
  app: App,
  userId: string,
  { front, back }: { front: string; back: string },
): Promise<License> {
  const { transact, outbox, clock } = app;
  if (front === back)
    throw refuseField('license.samePhoto', 'back', 'Please choose a photo of the back, too.');
  const row: store.LicenseRow = {
    id: randomUUID(),
    userId,
    status: 'Reviewing',
    result: '',
    frontId: front,
    backId: back,
    createdAt: clock.now(),
    decidedAt: null,
    decidedBy: null,
  };
  await transact('send license', async (tx) => {
    await removePictures(tx, await store.takeBackWaiting(tx, userId));
    await takePictures(app, tx, { ownerId: userId, purpose: 'license', ids: [front], field: 'front' });
    await takePictures(app, tx, { ownerId: userId, purpose: 'license', ids: [back], field: 'back' });
    await store.insertLicense(tx, row);
    await outbox.emit(tx, 'license.sent', { licenseId: row.id, userId }, userId);
  });
  return licenseWithPhotos(app, row);
}

/**
 * An admin accepts or denies photos; the app and an email notify the driver, and the photos of earlier
 * reviews are removed. Only the first admin's decision counts: a second one gets `license.movedOn`. Refuses
 * `license.reasonMissing`, `license.movedOn`.
 */
export async function decideLicense(
  app: App,
  adminId: string,
  { id, status, result }: { id: string; status: 'Accepted' | 'Reject'; result: string },
): Promise<void> {
  const { transact, outbox, audit, clock } = app;
  if (status === 'Reject' && result === '')
    throw refuseField('license.reasonMissing', 'result', 'A reason is required when denying license photos.');
  const reason = status === 'Reject' ? result : '';
  await transact('decide license', async (tx) => {
    const verdict = { status, result: reason, decidedAt: clock.now(), decidedBy: adminId };
    const row = await store.decide(tx, id, verdict);
    if (row === null) throw await whyNotDecided(tx, id);
    const { userId } = row;
    // Older photos are no longer needed.
    await removePictures(tx, await store.olderPhotos(tx, row));
    const action = status === 'Accepted' ? 'license.accepted' : 'license.rejected';
    await audit.note(tx, { adminId, action, personId: userId, thingId: id, note: reason });
    await outbox.emit(tx, 'license.decided', { licenseId: id, userId, status }, userId);
    await postVerdict(app, tx, { userId, status, reason });
  });
}

async function postVerdict(
  app: App,
  tx: Db,
  { userId, status, reason }: { userId: string; status: 'Accepted' | 'Reject'; reason: string },
): Promise<void> {
  const details = (await contactDetailsOf(app, [userId], tx)).get(userId);
  if (details === undefined) return;
  const { email: to, language } = details;
  const page = `${app.env.publicUrl}/pages/account/drvinglicense`;
  const email = status === 'Accepted' ? acceptedEmail(language, page) : rejectedEmail(language, reason, page);
  await app.outbox.post(tx, { to, ...email });
}

async function whyNotDecided(db: Db, id: string): Promise<Refusal> {
  const license = await store.findLicense(db, id);
  if (license === null) return movedOn('license.movedOn', 'The driver sent other photos or left.');
  const { status, result } = license;
  return movedOn('license.movedOn', 'Another admin already reviewed these photos.', {
    status,
    result,
  });
}

/** Licenses that wait for an admin, the oldest first, with earlier decisions about the same person. */
export async function listWaiting(app: App, adminId: string): Promise<OutputOf<typeof waitingLicenses>> {
  const { db, audit } = app;
  const [rows, total] = await Promise.all([store.waiting(db), store.countWaiting(db)]);
  const userIds = rows.map(({ userId }) => userId);
  await audit.noteReading(adminId, 'licenses', userIds);
  const [people, names, decided] = await Promise.all([
    peopleByIds(app, userIds),
    fullNamesOf(db, userIds),
    store.decidedOf(db, userIds),
  ]);
  const earlier = Map.groupBy(decided, ({ userId }) => userId);
  const licenses = await Promise.all(
    rows.map(async (row) => {
      const [person, name] = [people.get(row.userId), names.get(row.userId)];
      if (person === undefined || name === undefined) return null;
      const before = (earlier.get(row.userId) ?? []).map((each) =>
        viewLicense(each, { front: null, back: null }),
      );
      return { ...(await licenseWithPhotos(app, row)), ...name, person, earlier: before };
    }),
  );
  return { licenses: licenses.filter((license) => license !== null), total };
}

/** The admins who are notified that photos wait. */
export const licenseReviewers = async ({ db }: App): Promise<string[]> =>
  (await staffWith(db, 'licenses.read')).map(({ id }) => id);

/** A license with signed addresses of its photos: return it only to people who may see them. */
async function licenseWithPhotos(app: App, row: LicenseRow): Promise<License> {
  const address = (id: string | null) => (id === null ? null : signedAddress(app, id));
  const [front, back] = await Promise.all([address(row.frontId), address(row.backId)]);
  return viewLicense(row, { front, back });
}

interface PhotoAddresses {
  front: string | null;
  back: string | null;
}

const viewLicense = (row: LicenseRow, { front, back }: PhotoAddresses): License => ({
  id: row.id,
  status: row.status,
  result: row.result,
  sentAt: row.createdAt.toISOString(),
  decidedAt: row.decidedAt?.toISOString() ?? null,
  front,
  back,
});
