import type { PicturePurpose } from '#contract/pictures/endpoints.ts';
import type { App } from '../../app-type.ts';
import type { Db } from '../../platform/database/db.ts';
import { refuseField } from '../../platform/refusal.ts';
import { setAvatar } from '../identity/service.ts';
import { publicAddressOf } from './picture-addresses.ts';
import * as store from './store.ts';

/**
 * Marks pictures that the person has just uploaded as used, in the caller's transaction. Refuses
 * `upload.gone` by the field.
 */
export async function takePictures(
  app: App,
  tx: Db,
  of: { ownerId: string; purpose: PicturePurpose; ids: readonly string[]; field: string },
): Promise<store.PictureRow[]> {
  const taken = await store.usePictures(tx, of, app.clock.now());
  if (taken.length !== of.ids.length)
    throw refuseField('upload.gone', of.field, 'We no longer have this photo. Please choose it again.');
  return taken;
}

/** Makes an uploaded picture the person's profile photo, or removes the photo. Refuses `upload.gone`. */
export async function saveAvatar(app: App, userId: string, pictureId: string | null): Promise<void> {
  const { transact, outbox } = app;
  await transact('save avatar', async (tx) => {
    const taken =
      pictureId === null
        ? []
        : await takePictures(app, tx, {
            ownerId: userId,
            purpose: 'avatar',
            ids: [pictureId],
            field: 'picture',
          });
    const before = await store.picturesOf(tx, userId);
    const unused = before.filter(
      ({ id, purpose, usedAt }) => purpose === 'avatar' && usedAt !== null && id !== pictureId,
    );
    await store.removePictures(
      tx,
      unused.map(({ id }) => id),
    );
    const [picture] = taken;
    const address = picture === undefined ? '' : publicAddressOf(picture.objectKey);
    await setAvatar(tx, userId, address);
    await outbox.emit(tx, 'profile.changed', { userId }, userId);
  });
}
