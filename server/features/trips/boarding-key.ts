import { createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import type { Db } from '../../platform/database/db.ts';
import { secretMadeOnce } from '../../platform/database/settings.ts';

/**
 * How boarding codes are signed and checked: ECDSA, the signature as two numbers of fixed length, as
 * WebCrypto reads it.
 */
export const signatureEncoding = 'ieee-p1363';

/**
 * Reads the private key of boarding codes. It is made at its first use and kept in the database, so that
 * every process signs with the same.
 */
export function createBoardingKey(db: Db): () => Promise<KeyObject> {
  let kept: Promise<string> | null = null;
  return async () => {
    kept ??= secretMadeOnce(db, 'boardingKey', generateKey).catch((error: unknown) => {
      kept = null;
      throw error;
    });
    return createPrivateKey(await kept);
  };
}

const generateKey = (): string =>
  generateKeyPairSync('ec', {
    namedCurve: 'P-256',
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  }).privateKey;
