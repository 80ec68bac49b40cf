import { createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import type { Db } from '../../platform/database/db.ts';
import { secretMadeOnce } from '../../platform/database/settings.ts';

/** The signature encoding of boarding codes: ECDSA as two numbers of fixed length, as WebCrypto reads it. */
export const signatureEncoding = 'ieee-p1363';

/**
 * Reads the private key of boarding codes. The first use creates it in the database, so that every process
 * signs with the same key.
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
