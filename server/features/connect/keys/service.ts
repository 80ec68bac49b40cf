import type { App } from '../../../app-type.ts';
import type { z } from 'zod';
import type { ApiKey, makeKey as makeCall } from '#contract/connect/keys.ts';
import type { Caller } from '../../../platform/http/caller.ts';
import { endKeys } from './keys-left.ts';
import { makeKey } from './make-key.ts';
import { revokeKey } from './revoke-key.ts';
import * as store from './store.ts';
import { viewKey } from './view.ts';
import { peopleByIds } from '../../identity/service.ts';

export { createAuthenticateKey } from './authenticate-key.ts';

/** API keys of programs that act for a person. */
export function createKeys(platform: App) {
  const { db, clock, transact } = platform;

  async function view(rows: readonly store.KeyRow[]): Promise<ApiKey[]> {
    const people = await peopleByIds(platform, [...new Set(rows.map(({ userId }) => userId))]);
    return rows.flatMap((row) => {
      const person = people.get(row.userId);
      return person === undefined ? [] : [viewKey(row, person, clock.now())];
    });
  }

  return {
    keys: async () => ({ keys: await view(await store.newestKeys(db)) }),

    /** Makes a key that acts for the caller. Only the answer contains the secret. */
    async make({ userId }: Caller, input: z.output<typeof makeCall.input>) {
      const { row, secret } = await transact((tx) =>
        makeKey(tx, { userId, adminId: userId }, input, clock.now()),
      );
      const [key] = await view([row]);
      return { key: key!, secret };
    },

    async revoke(adminId: string, id: string) {
      const row = await transact((tx) => revokeKey(tx, { id, adminId }, clock.now()));
      const [key] = await view([row]);
      return { key: key! };
    },

    async endByLink(code: string) {
      return { ended: await endKeys(platform, code) };
    },

    erasure: store.erasure,
  };
}
