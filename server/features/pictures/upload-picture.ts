import { randomUUID } from 'node:crypto';
import type { OutputOf } from '#contract/define.ts';
import type { PicturePurpose, uploadImage } from '#contract/pictures/endpoints.ts';
import type { App } from '../../app-type.ts';
import { minuteMs } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/db.ts';
import { refuseField } from '../../platform/refusal.ts';
import { newSecret } from '../../platform/security/session.ts';
import { setAvatar } from '../identity/service.ts';
import { redraw } from './redraw.ts';
import { insertPicture } from './store.ts';
import * as store from './store.ts';

/** Only files below `public/` can be fetched without a signed address. */
const folderOf = {
  avatar: 'public/avatars',
  license: 'private/licences',
  chat: 'private/chats',
  event: 'public/events',
  uncut: 'private/uncut',
} satisfies Record<PicturePurpose, string>;

/**
 * Stores a picture for its purpose; it is deleted unless it is used within a day. Refuses as `redraw` does.
 */
export async function uploadPicture(
  app: App,
  ownerId: string,
  purpose: PicturePurpose,
  file: Buffer,
): Promise<OutputOf<typeof uploadImage>> {
  const { files, transact, clock } = app;
  const { bytes, width, height } = await redraw(file, purpose);
  const id = randomUUID();
  const folder = folderOf[purpose];
  const objectKey = `${folder}/${newSecret()}.webp`;
  await files.write(objectKey, bytes);
  try {
    await transact('upload picture', (tx) =>
      insertPicture(tx, { id, ownerId, purpose, objectKey, width, height, createdAt: clock.now() }),
    );
  } catch (error) {
    await files.remove(objectKey);
    throw error;
  }
  const url = folder.startsWith('public/') ? publicAddressOf(objectKey) : await signedAddress(app, id);
  return { id, url, width, height };
}

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

/** The addresses of public pictures, by id. */
export async function publicAddresses({ db }: App, ids: readonly string[]): Promise<Map<string, string>> {
  const found = await store.picturesByIds(db, ids);
  return new Map(found.map(({ id, objectKey }) => [id, publicAddressOf(objectKey)]));
}

/**
 * The bytes behind the token of a signed address; null when the token is expired or forged, or the picture is
 * gone.
 */
export async function readPicture({ db, files, signedTokens }: App, token: string): Promise<Buffer | null> {
  const [pictureId] = (await signedTokens.verify('picture', token)) ?? [];
  const picture = pictureId === undefined ? null : await store.findPicture(db, pictureId);
  return picture === null ? null : files.read(picture.objectKey);
}

/** Everything a person has uploaded and uses, for their data export, one after another. */
export async function* exportPictures(
  { db, files }: App,
  ownerId: string,
): AsyncGenerator<{ name: string; bytes: Buffer }> {
  for (const { id, purpose, objectKey, usedAt } of await store.picturesOf(db, ownerId)) {
    const bytes = usedAt === null ? null : await files.read(objectKey);
    if (bytes !== null) yield { name: `${purpose}-${id}.webp`, bytes };
  }
}

const addressStepMs = 5 * minuteMs;
/** The public address of files below `public/`. */
const publicAddress = '/files/';

const publicAddressOf = (objectKey: string): string => publicAddress + objectKey.slice('public/'.length);

/**
 * An address of a picture with a signed token, valid for five to ten minutes. The calling feature decides who
 * may get it. Addresses made within the same five minutes are equal, so that a page that reloads its data
 * does not fetch its pictures again.
 */
export async function signedAddress({ clock, signedTokens }: App, pictureId: string): Promise<string> {
  const endsAt = (Math.ceil(clock.now().getTime() / addressStepMs) + 1) * addressStepMs;
  return `/files/private/${await signedTokens.sign('picture', [pictureId], new Date(endsAt))}`;
}
