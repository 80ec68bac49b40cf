import { isScope } from '#contract/connect/scopes.ts';
import { later, minuteMs, type Clock } from '../../../platform/clock.ts';
import type { Db } from '../../../platform/database/db.ts';
import { Refusal, notFound } from '../../../platform/refusal.ts';
import type { AuthenticateKey } from '../../../platform/security/api-key.ts';
import { hashSecret } from '../../../platform/security/session.ts';
import { accountBehindKey, emailsOf, peopleAt } from '../../identity/queries.ts';
import { placeOf } from '../../identity/service.ts';
import { keyStateOf } from './rules/key-state.ts';
import * as store from './store.ts';

/**
 * Finds the owner of an API key; the platform calls it for each request with a key. It caches nothing, so
 * that the server refuses a key from the moment it is revoked.
 */
export function createAuthenticateKey(db: Db, clock: Clock): AuthenticateKey {
  return async (secret, network) => {
    const now = clock.now();
    const row = await store.findKey(db, hashSecret(secret));
    const account = row === null ? null : await accountBehindKey(db, row.userId);
    if (row === null || account === null) throw refused('unknown', 'This API key is not known here.');
    const state = keyStateOf(row, now);
    if (state === 'revoked') throw refused('revoked', 'This API key has been revoked.');
    if (state === 'expired') throw refused('expired', 'This API key has expired.');
    if (account.isSuspended)
      throw new Refusal('access.suspended', 'The account of this API key is suspended.', { code: 403 });
    const minuteAgo = later(now, -minuteMs);
    if (row.usedAt === null || row.usedAt < minuteAgo)
      await store.noteUse(db, { id: row.id, network: placeOf(network) }, { at: now, minuteAgo });
    const { id, scopes, callsPerMinute } = row;
    const key = { id, scopes: scopes.filter(isScope), callsPerMinute };
    return { userId: row.userId, sessionId: id, staffRole: account.staffRole, key };
  };
}

const refused = (word: string, info: string) => new Refusal(`key.${word}`, info, { code: 400 });

/** The keys as the command line shows them, the newest first. */
export async function shownKeys(db: Db, now: Date) {
  const rows = await store.newestKeys(db);
  const emails = await emailsOf(
    db,
    rows.map(({ userId }) => userId),
  );
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    shown: row.shown,
    email: emails.get(row.userId) ?? '',
    state: keyStateOf(row, now),
    scopes: row.scopes,
    callsPerMinute: row.callsPerMinute,
    createdAt: row.createdAt,
    expiresAt: row.expiresAt,
    usedAt: row.usedAt,
    network: row.network,
    revokedAt: row.revokedAt,
  }));
}

/** The id of the account with an email. Refuses `admin.userNotFound`. */
export async function keyHolder(db: Db, email: string): Promise<string> {
  const [userId] = await peopleAt(db, [email.trim().toLowerCase()]);
  if (userId === undefined)
    throw notFound('admin.userNotFound', `There is no account with the email ${email}.`);
  return userId;
}
