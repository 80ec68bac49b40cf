import type { App } from '../../../app-type.ts';
import type { Db } from '../../../platform/database/db.ts';
import { movedOn, refuseField, type Refusal } from '../../../platform/refusal.ts';
import { contactDetailsOf } from '../../identity/service.ts';
import { removePictures } from '../../pictures/service.ts';
import { acceptedEmail, rejectedEmail } from './rules/emails.ts';
import * as store from './store.ts';

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
