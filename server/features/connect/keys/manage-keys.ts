import { randomUUID } from 'node:crypto';
import type { z } from 'zod';
import {
  type ApiKey,
  type makeKey as makeCall,
  keyMark,
  mostKeys,
  type makeKey as call,
} from '#contract/connect/keys.ts';
import { isScope, permissionOfScope, type Scope } from '#contract/connect/scopes.ts';
import type { Person } from '#contract/user/endpoints.ts';
import { isPermitted, type StaffRole } from '#contract/admin/roles.ts';
import type { App } from '../../../app-type.ts';
import { dayMs, later } from '../../../platform/clock.ts';
import type { CommandPlatform } from '../../../platform/command-platform.ts';
import type { Db } from '../../../platform/database/db.ts';
import { postEmail } from '../../../platform/events/outbox.ts';
import type { Caller } from '../../../platform/http/caller.ts';
import { notFound, Refusal, refuseField } from '../../../platform/refusal.ts';
import { noteDeed } from '../../../platform/security/audit-log.ts';
import { hashSecret, newSecret } from '../../../platform/security/session.ts';
import { accountBehindKey, holdPerson } from '../../identity/queries.ts';
import { peopleByIds } from '../../identity/service.ts';
import { keyMadeEmail } from './rules/emails.ts';
import { keyStateOf } from './rules/key-state.ts';
import * as store from './store.ts';

export const listKeys = async (app: App): Promise<ApiKey[]> => view(app, await store.newestKeys(app.db));

/** Makes a key that acts for the caller. Only the answer contains the secret. */
export async function makeOwnKey(
  app: App,
  { userId }: Caller,
  input: z.output<typeof makeCall.input>,
): Promise<{ key: ApiKey; secret: string }> {
  const { row, secret } = await app.transact('make own key', (tx) =>
    makeKey(tx, { userId, adminId: userId }, input, app.clock.now()),
  );
  const [key] = await view(app, [row]);
  return { key: key!, secret };
}

/** Revokes any person's key. Refuses what `revokeKey` refuses. */
export async function revokeKeyById(app: App, adminId: string, id: string): Promise<{ key: ApiKey }> {
  const row = await app.transact('revoke key by id', (tx) => revokeKey(tx, { id, adminId }, app.clock.now()));
  const [key] = await view(app, [row]);
  return { key: key! };
}

async function view(app: App, rows: readonly store.KeyRow[]): Promise<ApiKey[]> {
  const people = await peopleByIds(app, [...new Set(rows.map(({ userId }) => userId))]);
  return rows.flatMap((row) => {
    const person = people.get(row.userId);
    return person === undefined ? [] : [viewKey(row, person, app.clock.now())];
  });
}

const viewKey = (row: store.KeyRow, person: Person, now: Date): ApiKey => ({
  id: row.id,
  name: row.name,
  shown: row.shown,
  scopes: row.scopes.filter(isScope),
  callsPerMinute: row.callsPerMinute,
  person,
  state: keyStateOf(row, now),
  createdAt: row.createdAt.toISOString(),
  expiresAt: row.expiresAt?.toISOString() ?? null,
  usedAt: row.usedAt?.toISOString() ?? null,
  network: row.network,
  revokedAt: row.revokedAt?.toISOString() ?? null,
});

/** The owner of a new key, and who makes it. */
interface KeyMaker {
  userId: string;
  /** Null for the command line. */
  adminId: string | null;
}

/**
 * Makes a key, in the caller's transaction, writes it to the audit log and emails its owner. Only the answer
 * contains the secret. Refuses `admin.userNotFound`, `key.scopeTooHigh` for a scope beyond the owner's role,
 * and `key.tooMany`.
 */
export async function makeKey(
  tx: Db,
  { userId, adminId }: KeyMaker,
  { name, scopes, days, callsPerMinute }: z.output<typeof call.input>,
  now: Date,
): Promise<{ row: store.KeyRow; secret: string }> {
  await holdPerson(tx, userId);
  const account = await accountBehindKey(tx, userId);
  if (account === null) throw notFound('admin.userNotFound', 'We couldn’t find this person.');
  const tooHigh = scopes.find((scope) => isBeyond(account.staffRole, scope));
  if (tooHigh !== undefined)
    throw refuseField('key.scopeTooHigh', 'scopes', `This person’s role does not have ${tooHigh}.`, {
      scope: tooHigh,
    });
  if ((await store.countValid(tx, userId, now)) >= mostKeys)
    throw new Refusal('key.tooMany', `One person can have up to ${mostKeys} API keys. Revoke one first.`, {
      code: 409,
    });
  const secret = `${keyMark}${newSecret()}`;
  const row = await store.insertKey(tx, {
    id: randomUUID(),
    userId,
    name,
    keyHash: hashSecret(secret),
    shown: `${secret.slice(0, keyMark.length + 4)}…${secret.slice(-4)}`,
    scopes: [...new Set(scopes)],
    callsPerMinute,
    createdAt: now,
    expiresAt: days === null ? null : later(now, days * dayMs),
  });
  const deed = { adminId, personId: userId, thingId: row.id, note: `${name} (${row.shown})` };
  await noteDeed(tx, { ...deed, action: 'key.made' }, now);
  await postEmail(tx, { to: account.email, ...keyMadeEmail(account.language, row) });
  return { row, secret };
}

function isBeyond(role: StaffRole | null, scope: Scope): boolean {
  const permission = permissionOfScope(scope);
  return permission !== null && !isPermitted(role, permission);
}

/**
 * Revokes a key, in the caller's transaction, and writes it to the audit log. A key that is already revoked
 * does not change. Refuses `key.notFound`.
 * @param adminId null for the command line.
 */
export async function revokeKey(
  tx: Db,
  { id, adminId }: { id: string; adminId: string | null },
  at: Date,
): Promise<store.KeyRow> {
  const revoked = await store.revoke(tx, id, at);
  if (revoked === null) throw notFound('key.notFound', 'We couldn’t find this API key.');
  const { row, isEndedNow } = revoked;
  const deed = { adminId, personId: row.userId, thingId: id, note: `${row.name} (${row.shown})` };
  if (isEndedNow) await noteDeed(tx, { ...deed, action: 'key.revoked' }, at);
  return row;
}

const linkPurpose = 'end keys';
const linkLifeMs = 7 * dayMs;

/**
 * The names of a person's valid keys, and the address of the page that ends them without signing in: for the
 * email about a new password, which does not end them. Null for none.
 */
export async function keysLeft(
  { clock, env, signedTokens }: Pick<CommandPlatform, 'clock' | 'env' | 'signedTokens'>,
  tx: Db,
  userId: string,
): Promise<{ names: string[]; address: string } | null> {
  const now = clock.now();
  const names = await store.validNames(tx, userId, now);
  if (names.length === 0) return null;
  const code = await signedTokens.sign(linkPurpose, [userId], later(now, linkLifeMs));
  return { names, address: `${env.publicUrl}/pages/account/endkeys?code=${code}` };
}

/** Revokes all keys of the person in such a link. Refuses `link.notFound`. @returns how many there were */
export async function endKeys(
  { clock, transact, signedTokens }: Pick<CommandPlatform, 'clock' | 'transact' | 'signedTokens'>,
  code: string,
): Promise<number> {
  const [userId] = (await signedTokens.verify(linkPurpose, code)) ?? [];
  if (userId === undefined) throw new Refusal('link.notFound', 'This link no longer works.', { code: 404 });
  const now = clock.now();
  return transact('end keys', async (tx) => {
    const ended = await store.revokeAll(tx, userId, now);
    for (const { id, name, shown } of ended) {
      const deed = { adminId: userId, personId: userId, thingId: id, note: `${name} (${shown})` };
      await noteDeed(tx, { ...deed, action: 'key.revoked' }, now);
    }
    return ended.length;
  });
}
