import type { z } from 'zod';
import type { ApiKey, makeKey as makeCall } from '#contract/connect/keys.ts';
import type { App } from '../../../app-type.ts';
import type { Caller } from '../../../platform/http/caller.ts';
import { peopleByIds } from '../../identity/service.ts';
import { makeKey } from './make-key.ts';
import { revokeKey } from './revoke-key.ts';
import * as store from './store.ts';
import { viewKey } from './view.ts';

export const listKeys = async (app: App): Promise<ApiKey[]> => view(app, await store.newestKeys(app.db));

/** Makes a key that acts for the caller. Only the answer contains the secret. */
export async function makeOwnKey(
  app: App,
  { userId }: Caller,
  input: z.output<typeof makeCall.input>,
): Promise<{ key: ApiKey; secret: string }> {
  const { row, secret } = await app.transact((tx) =>
    makeKey(tx, { userId, adminId: userId }, input, app.clock.now()),
  );
  const [key] = await view(app, [row]);
  return { key: key!, secret };
}

/** Revokes any person's key. Refuses what `revokeKey` refuses. */
export async function revokeKeyById(app: App, adminId: string, id: string): Promise<{ key: ApiKey }> {
  const row = await app.transact((tx) => revokeKey(tx, { id, adminId }, app.clock.now()));
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
