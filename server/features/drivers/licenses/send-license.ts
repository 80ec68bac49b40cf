import { randomUUID } from 'node:crypto';
import type { License } from '#contract/licenses/endpoints.ts';
import type { App } from '../../../app-type.ts';
import { refuseField } from '../../../platform/refusal.ts';
import { removePictures, takePictures } from '../../pictures/service.ts';
import { licenseWithPhotos } from './license-with-photos.ts';
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
