import { randomUUID } from 'node:crypto';
import type { OutputOf } from '#contract/define.ts';
import type { Licence, waitingLicences } from '#contract/licences/endpoints.ts';
import type { Platform } from '../../../platform/platform.ts';
import { movedOn, refuseField } from '../../../platform/refusal.ts';
import { adminIds, fullNamesOf } from '../../identity/queries.ts';
import type { IdentityService } from '../../identity/service.ts';
import type { PicturesService } from '../../pictures/service.ts';
import { acceptedEmail, rejectedEmail } from './rules/emails.ts';
import * as store from './store.ts';
import { viewLicence, type PhotoAddresses } from './view.ts';

export type LicensesService = ReturnType<typeof createLicenses>;

/** Driver licenses: their photos, sent by drivers and decided about by admins. */
export function createLicenses(
  { db, env, transact, clock, outbox, audit }: Platform,
  features: { identity: IdentityService; pictures: PicturesService },
) {
  const { identity, pictures } = features;

  /** The photos' addresses; whoever gets a view of a license may look at them, and nobody else does. */
  async function photosOf({ frontId, backId }: store.LicenceRow): Promise<PhotoAddresses> {
    const address = (id: string | null) => (id === null ? null : pictures.sealedAddress(id));
    const [front, back] = await Promise.all([address(frontId), address(backId)]);
    return { front, back };
  }

  const view = async (row: store.LicenceRow): Promise<Licence> => viewLicence(row, await photosOf(row));
  const page = `${env.publicUrl}/pages/account/drvinglicense`;

  return {
    /** Keeps a license with a past, as it is given: the demo community. */
    importLicense: (row: Parameters<typeof store.insertLicence>[1]) => store.insertLicence(db, row),

    /** The person's own license as last sent, or null. */
    async latest(userId: string): Promise<Licence | null> {
      const row = await store.latestLicence(db, userId);
      return row === null ? null : view(row);
    },

    /**
     * Sends two uploaded photos for review; photos of the same person that still wait are taken back, so that an admin
     * never decides about photos they have not seen. Refuses `licence.samePhoto`, `upload.gone`.
     */
    async send(userId: string, { front, back }: { front: string; back: string }): Promise<Licence> {
      if (front === back)
        throw refuseField('licence.samePhoto', 'back', 'Please choose a photo of the back as well.');
      const row: store.LicenceRow = {
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
      await transact(async (tx) => {
        await pictures.remove(tx, await store.takeBackWaiting(tx, userId));
        await pictures.take(tx, { ownerId: userId, purpose: 'licence', ids: [front], field: 'front' });
        await pictures.take(tx, { ownerId: userId, purpose: 'licence', ids: [back], field: 'back' });
        await store.insertLicence(tx, row);
        await outbox.emit(tx, 'licence.sent', { licenceId: row.id, userId }, userId);
      });
      return view(row);
    },

    /** Everything that waits for an admin, the oldest first. */
    async waiting(adminId: string): Promise<OutputOf<typeof waitingLicences>> {
      const [rows, total] = await Promise.all([store.waiting(db), store.countWaiting(db)]);
      const userIds = rows.map(({ userId }) => userId);
      await audit.noteReading(adminId, 'licences', userIds);
      const [people, names, decided] = await Promise.all([
        identity.people(userIds),
        fullNamesOf(db, userIds),
        store.decidedOf(db, userIds),
      ]);
      const earlier = Map.groupBy(decided, ({ userId }) => userId);
      const licences = await Promise.all(
        rows.map(async (row) => {
          const [person, name] = [people.get(row.userId), names.get(row.userId)];
          if (person === undefined || name === undefined) return null;
          const before = (earlier.get(row.userId) ?? []).map((each) =>
            viewLicence(each, { front: null, back: null }),
          );
          return { ...(await view(row)), ...name, person, earlier: before };
        }),
      );
      return { licences: licences.filter((licence) => licence !== null), total };
    },

    /**
     * An admin accepts photos or denies them; the driver is told by the app and by mail, and the photos of earlier
     * reviews are removed. One admin decides: for the second one it has moved on. Refuses `licence.reasonMissing`, `licence.movedOn`.
     */
    async decide(
      adminId: string,
      { id, status, result }: { id: string; status: 'Accepted' | 'Reject'; result: string },
    ): Promise<void> {
      if (status === 'Reject' && result === '')
        throw refuseField(
          'licence.reasonMissing',
          'result',
          'A reason is required when denying license photos.',
        );
      const reason = status === 'Reject' ? result : '';
      await transact(async (tx) => {
        const verdict = { status, result: reason, decidedAt: clock.now(), decidedBy: adminId };
        const row = await store.decide(tx, id, verdict);
        if (row === null) throw await whyNot(id);
        const { userId } = row;
        // Nobody looks at older photos any more.
        await pictures.remove(tx, await store.olderPhotos(tx, row));
        const action = status === 'Accepted' ? 'licence.accepted' : 'licence.rejected';
        await audit.note(tx, { adminId, action, personId: userId, thingId: id, note: reason });
        await outbox.emit(tx, 'licence.decided', { licenceId: id, userId, status }, userId);
        const details = (await identity.contactDetails([userId])).get(userId);
        if (details === undefined) return;
        const { email, language } = details;
        const letter =
          status === 'Accepted' ? acceptedEmail(language, page) : rejectedEmail(language, reason, page);
        await outbox.post(tx, { to: email, ...letter });
      });
    },

    /** Who is told that photos wait. */
    adminIds: () => adminIds(db),
  };

  async function whyNot(id: string) {
    const now = await store.findLicence(db, id);
    if (now === null)
      return movedOn(
        'licence.movedOn',
        'These photos were taken back: the driver has sent others, or has left.',
      );
    return movedOn('licence.movedOn', 'Another admin has decided about these photos already.', {
      status: now.status,
      result: now.result,
    });
  }
}
