import { createHash, randomBytes } from 'node:crypto';
import type { Caller } from '../http/caller.ts';

/** A secret that only its holder knows: 32 random bytes, URL-safe. */
export const newSecret = (): string => randomBytes(32).toString('base64url');

/** The stored form of a secret. Secrets are random, so a fast hash is enough. */
export const hashSecret = (secret: string): string => createHash('sha256').update(secret).digest('base64url');

/** A caller, and when their access token ends. */
export interface SignedIn extends Caller {
  expiresAt: Date;
}

/** Finds the caller behind an access token; null when it is unknown, over or ended. */
export type Authenticate = (token: string) => Promise<SignedIn | null>;
