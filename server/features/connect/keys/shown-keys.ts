import type { Db } from '../../../platform/database/db.ts';
import { notFound } from '../../../platform/refusal.ts';
import { emailsOf, peopleAt } from '../../identity/queries.ts';
import { keyStateOf } from './rules/key-state.ts';
import * as store from './store.ts';

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
