import type { App } from '../../app-type.ts';
import { publicAddressOf } from './picture-addresses.ts';
import * as store from './store.ts';

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
