import { randomUUID } from 'node:crypto';
import type { OutputOf } from '#contract/define.ts';
import type { PicturePurpose, uploadImage } from '#contract/pictures/endpoints.ts';
import type { App } from '../../app-type.ts';
import { newSecret } from '../../platform/security/session.ts';
import { publicAddressOf, signedAddress } from './picture-addresses.ts';
import { redraw } from './redraw.ts';
import { insertPicture } from './store.ts';

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
