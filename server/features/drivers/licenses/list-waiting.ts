import type { OutputOf } from '#contract/define.ts';
import type { waitingLicenses, License } from '#contract/licenses/endpoints.ts';
import type { App } from '../../../app-type.ts';
import { fullNamesOf, staffWith } from '../../identity/queries.ts';
import { peopleByIds } from '../../identity/service.ts';
import { signedAddress } from '../../pictures/service.ts';
import * as store from './store.ts';
import type { LicenseRow } from './store.ts';
import { viewLicense } from './view.ts';

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
export async function licenseWithPhotos(app: App, row: LicenseRow): Promise<License> {
  const address = (id: string | null) => (id === null ? null : signedAddress(app, id));
  const [front, back] = await Promise.all([address(row.frontId), address(row.backId)]);
  return viewLicense(row, { front, back });
}
