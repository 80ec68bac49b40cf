import type { z } from 'zod';
import type { ApiKey, makeKey as makeCall } from '#contract/connect/keys.ts';
import { isScope } from '#contract/connect/scopes.ts';
import type { Person } from '#contract/user/endpoints.ts';
import type { App } from '../../../app-type.ts';
import type { Caller } from '../../../platform/http/caller.ts';
import { peopleByIds } from '../../identity/service.ts';
import { makeKey, revokeKey } from './make-key.ts';
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
