import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto';
import type { Db } from '../database/db.ts';
import { readSetting, secretMadeOnce } from '../database/settings.ts';
import { newSecret } from './session.ts';

/** Encrypts values that the server must read again, such as the secret of an authenticator app. */
export interface Seal {
  /** @param whose the thing that the value belongs to: only the same thing decrypts it. */
  seal(value: Uint8Array, whose: string): Promise<string>;
  /** @throws Error if no key decrypts it. */
  open(sealed: string, whose: string): Promise<Buffer>;
  /** The id of the key that encrypts: values encrypted with it begin with this and a dot. */
  keyId(): Promise<string>;
}

const cipher = 'aes-256-gcm';
const [ivBytes, tagBytes] = [12, 16];
/** The key of an installation without `SEAL_KEYS`. */
const ownKeySetting = 'sealKey';

interface Key {
  /** Identifies the key in encrypted values, without revealing it. */
  id: string;
  key: Buffer;
}

function keyFrom(secret: string): Key {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'sameway seal', 32));
  return { id: createHash('sha256').update(key).digest('base64url').slice(0, 8), key };
}

/**
 * The first of `SEAL_KEYS` encrypts, all of them decrypt. Without any, the key is in the database, and so in
 * every copy of it. That key still decrypts its values after keys are set.
 */
export function createSeal(db: Db, secrets: readonly string[]): Seal {
  const given = secrets.map(keyFrom);
  const ownKey = async () => keyFrom(await secretMadeOnce(db, ownKeySetting, newSecret));
  const first = async () => given[0] ?? (await ownKey());
  const keyOf = async (id: string): Promise<Key | undefined> => {
    const known = given.find((each) => each.id === id);
    if (known !== undefined) return known;
    const kept = await readSetting(db, ownKeySetting);
    const own = typeof kept === 'string' ? keyFrom(kept) : undefined;
    return own?.id === id ? own : undefined;
  };
  return {
    async seal(value, whose) {
      const { id, key } = await first();
      const iv = randomBytes(ivBytes);
      const writer = createCipheriv(cipher, key, iv).setAAD(Buffer.from(whose));
      const body = Buffer.concat([writer.update(value), writer.final()]);
      return `${id}.${Buffer.concat([iv, writer.getAuthTag(), body]).toString('base64url')}`;
    },

    async open(sealed, whose) {
      const [id = '', text = ''] = sealed.split('.');
      const used = await keyOf(id);
      if (used === undefined)
        throw new Error('No key of SEAL_KEYS decrypts this value: the key that encrypted it is missing.');
      const bytes = Buffer.from(text, 'base64url');
      const reader = createDecipheriv(cipher, used.key, bytes.subarray(0, ivBytes)).setAAD(
        Buffer.from(whose),
      );
      reader.setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes));
      return Buffer.concat([reader.update(bytes.subarray(ivBytes + tagBytes)), reader.final()]);
    },

    keyId: async () => (await first()).id,
  };
}
