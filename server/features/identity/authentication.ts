import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/db.ts';
import { hashSecret, type Authenticate } from '../../platform/security/session.ts';
import * as store from './store.ts';

/**
 * Finds the person of an access token; the platform calls it for each request that is not in a cache. Records
 * the token's first use.
 */
export function createAuthenticate(db: Db, clock: Clock): Authenticate {
  return async (token) => {
    if (token === '') return null;
    const row = await store.findSignedIn(db, hashSecret(token), clock.now());
    if (row === null) return null;
    const { usedAt, ...caller } = row;
    if (usedAt === null) await store.noteUse(db, caller.sessionId, clock.now());
    return caller;
  };
}
