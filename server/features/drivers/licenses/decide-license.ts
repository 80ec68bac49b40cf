import { randomUUID } from 'node:crypto';
import type { License } from '#contract/licenses/endpoints.ts';
import type { App } from '../../../app-type.ts';
import type { Db } from '../../../platform/database/db.ts';
import { refuseField, movedOn, type Refusal } from '../../../platform/refusal.ts';
import { contactDetailsOf } from '../../identity/service.ts';
import { removePictures, takePictures } from '../../pictures/service.ts';
import { licenseWithPhotos } from './list-waiting.ts';
import { acceptedEmail, rejectedEmail } from './rules/emails.ts';
import * as store from './store.ts';

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
