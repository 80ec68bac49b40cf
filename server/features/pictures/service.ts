import { randomUUID } from 'node:crypto';
import type { OutputOf } from '#contract/define.ts';
import type { PicturePurpose, uploadImage } from '#contract/pictures/endpoints.ts';
import type { Platform } from '../../platform/platform.ts';
import { dayMs, later, minuteMs } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/db.ts';
import { refuseField } from '../../platform/refusal.ts';
import { newSecret } from '../../platform/security/session.ts';
import type { IdentityService } from '../identity/service.ts';
import { redraw } from './redraw.ts';
import * as store from './store.ts';

const unusedForMs = dayMs;
/** Only what lies below `public/` can be fetched without a sealed address. */
const placeOf = {
  avatar: 'public/avatars',
  licence: 'private/licences',
  chat: 'private/chats',
  event: 'public/events',
} satisfies Record<PicturePurpose, string>;
const addressStepMs = 5 * minuteMs;
/** Where everybody finds what lies below `public/`. */
const publicAddress = '/files/';

export type PicturesService = ReturnType<typeof createPictures>;

/** Pictures that people upload: checked by content, drawn anew, shown to whom they are for. */
export function createPictures(
  { db, files, signedTokens, transact, clock, outbox }: Platform,
  identity: IdentityService,
) {
  /**
   * Where a picture can be looked at for five to ten minutes. Who may have the address is for the asking feature to
   * decide. Addresses made within the same five minutes are the same, so that a page that reads its data again does not
   * fetch its pictures again.
   */
  async function sealedAddress(pictureId: string): Promise<string> {
    const endsAt = (Math.ceil(clock.now().getTime() / addressStepMs) + 1) * addressStepMs;
    return `/files/private/${await signedTokens.sign('picture', [pictureId], new Date(endsAt))}`;
  }

  const publicAddressOf = (objectKey: string): string => publicAddress + objectKey.slice('public/'.length);

  /** Takes pictures the person has just uploaded into use. Refuses `upload.gone`. */
  async function take(
    tx: Db,
    of: { ownerId: string; purpose: PicturePurpose; ids: readonly string[]; field: string },
  ): Promise<store.PictureRow[]> {
    const taken = await store.usePictures(tx, of, clock.now());
    if (taken.length !== of.ids.length)
      throw refuseField('upload.gone', of.field, 'This picture is no longer there. Please choose it again.');
    return taken;
  }

  return {
    take,
    sealedAddress,

    /** Where pictures that everybody may see lie, by id. */
    async publicAddresses(ids: readonly string[]): Promise<Map<string, string>> {
      const found = await store.picturesByIds(db, ids);
      return new Map(found.map(({ id, objectKey }) => [id, publicAddressOf(objectKey)]));
    },

    /** Keeps a picture for its purpose; it is removed again unless it is used within a day. Refuses as `redraw` does. */
    async upload(
      ownerId: string,
      purpose: PicturePurpose,
      file: Buffer,
    ): Promise<OutputOf<typeof uploadImage>> {
      const { bytes, width, height } = await redraw(file, purpose);
      const id = randomUUID();
      const place = placeOf[purpose];
      const objectKey = `${place}/${newSecret()}.webp`;
      await files.write(objectKey, bytes);
      try {
        await transact((tx) =>
          store.insertPicture(tx, { id, ownerId, purpose, objectKey, width, height, createdAt: clock.now() }),
        );
      } catch (error) {
        await files.remove(objectKey);
        throw error;
      }
      const url = place.startsWith('public/') ? publicAddressOf(objectKey) : await sealedAddress(id);
      return { id, url, width, height };
    },

    /** The bytes behind the code of a sealed address; null when it has ended, was made up, or the picture is gone. */
    async read(code: string): Promise<Buffer | null> {
      const [pictureId] = (await signedTokens.verify('picture', code)) ?? [];
      const picture = pictureId === undefined ? null : await store.findPicture(db, pictureId);
      return picture === null ? null : files.read(picture.objectKey);
    },

    /** Makes an uploaded picture the person's profile photo, or takes the photo away. Refuses `upload.gone`. */
    async saveAvatar(userId: string, pictureId: string | null): Promise<void> {
      await transact(async (tx) => {
        const taken =
          pictureId === null
            ? []
            : await take(tx, { ownerId: userId, purpose: 'avatar', ids: [pictureId], field: 'picture' });
        const before = await store.picturesOf(tx, userId);
        await store.deletePictures(tx, {
          ids: before
            .filter(({ id, purpose, usedAt }) => purpose === 'avatar' && usedAt !== null && id !== pictureId)
            .map(({ id }) => id),
        });
        const [picture] = taken;
        await identity.setAvatar(tx, userId, picture === undefined ? '' : publicAddressOf(picture.objectKey));
        await outbox.emit(tx, 'profile.changed', { userId }, userId);
      });
    },

    /** Removes pictures in the caller's transaction; their files follow. */
    remove: (tx: Db, ids: readonly string[]) => store.deletePictures(tx, { ids }),

    /** Removes everything a person has uploaded, in the caller's transaction; the files follow. */
    removeAllOf: (tx: Db, ownerId: string) => store.deletePictures(tx, { ownerId }),

    /** Everything a person has uploaded and uses, for their data export. */
    async exportOf(ownerId: string): Promise<{ name: string; bytes: Buffer }[]> {
      const rows = (await store.picturesOf(db, ownerId)).filter(({ usedAt }) => usedAt !== null);
      const found = await Promise.all(
        rows.map(async ({ id, purpose, objectKey }) => ({
          name: `${purpose}-${id}.webp`,
          bytes: await files.read(objectKey),
        })),
      );
      return found.flatMap(({ name, bytes }) => (bytes === null ? [] : [{ name, bytes }]));
    },

    /** Removes what nobody used within a day, and the files whose picture is gone. */
    async clearAway(): Promise<void> {
      await store.deleteUnused(db, later(clock.now(), -unusedForMs));
      for (const objectKey of await store.filesToRemove(db)) {
        await files.remove(objectKey);
        await store.noteRemoved(db, objectKey);
      }
    },
  };
}
