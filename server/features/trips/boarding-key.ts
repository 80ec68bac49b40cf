import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import type { Platform } from '../../platform/platform.ts';
import { createKeyRing } from '../../platform/security/key-ring.ts';

/** The signature encoding of boarding codes: ECDSA as two numbers of fixed length, as WebCrypto reads it. */
export const signatureEncoding = 'ieee-p1363';

export interface BoardingKeys {
  /** The private key that signs codes now. */
  privateKey(): Promise<KeyObject>;
  /** The public keys that check codes: of the key that signs now, and of those before and after it. */
  publicKeys(): Promise<[KeyObject, ...KeyObject[]]>;
}

export function createBoardingKeys({ db, clock }: Pick<Platform, 'db' | 'clock'>): BoardingKeys {
  const ring = createKeyRing(db, clock, 'boarding');
  const publicOf = (pem: string) => createPublicKey(createPrivateKey(pem));
  return {
    privateKey: async () => createPrivateKey(await ring.signing()),
    async publicKeys() {
      const [first, ...others] = await ring.verifying();
      return [publicOf(first), ...others.map(publicOf)];
    },
  };
}
