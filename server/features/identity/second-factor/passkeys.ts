import { randomUUID } from 'node:crypto';
import type { z } from 'zod';
import { mostPasskeys, type Passkey } from '#contract/access/second-factor.ts';
import type * as calls from '#contract/access/second-factor.ts';
import type { App } from '../../../app-type.ts';
import type { Caller } from '../../../platform/http/caller.ts';
import { movedOn, noSession, notFound, Refusal } from '../../../platform/refusal.ts';
import { findUserById, holdUser } from '../store.ts';
import { enrollmentOptions, checkNewPasskey } from './ceremonies.ts';
import { factorAdded, factorRemoved } from './change-factors.ts';
import * as store from './store.ts';
import { viewPasskey } from './view.ts';

/** The options with which a browser creates a passkey. Refuses `factor.tooMany`, `factor.noPasskeys`. */
export async function beginPasskey(app: App, { userId }: Caller) {
  const person = await findUserById(app.db, userId);
  if (person === null) throw noSession();
  const { passkeys } = await store.factorsOf(app.db, userId);
  if (passkeys.length >= mostPasskeys) throw tooMany();
  return enrollmentOptions(app, person, passkeys);
}

/**
 * Saves a passkey that the browser created. Refuses `factor.expired`, `factor.passkeyRefused`,
 * `factor.passkeyKnown`, `factor.tooMany`.
 */
export async function addPasskey(
  app: App,
  { userId, sessionId }: Caller,
  { challengeId, passkey, name }: z.output<typeof calls.addPasskey.input>,
): Promise<{ passkey: Passkey; recoveryCodes: string[] }> {
  const made = await checkNewPasskey(app, userId, challengeId, passkey);
  return app.transact('add passkey', async (tx) => {
    const person = await holdUser(tx, userId);
    if (person === null) throw noSession();
    if ((await store.factorsOf(tx, userId)).passkeys.length >= mostPasskeys) throw tooMany();
    const row = { id: randomUUID(), userId, ...made, name, createdAt: app.clock.now() };
    const kept = await store.insertPasskey(tx, row);
    if (kept === null) throw movedOn('factor.passkeyKnown', 'You’ve already added this passkey.');
    const change = { kind: 'passkeyAdded', name } as const;
    const recoveryCodes = await factorAdded(app, tx, { person, sessionId, change });
    return { passkey: viewPasskey(kept), recoveryCodes };
  });
}

/** Refuses `factor.notFound`. */
export async function renamePasskey(
  { transact }: App,
  { userId }: Caller,
  { id, name }: z.output<typeof calls.renamePasskey.input>,
): Promise<Passkey> {
  const renamed = await transact('rename passkey', (tx) => store.renamePasskey(tx, { userId, id, name }));
  if (renamed === null) throw notFound('factor.notFound');
  return viewPasskey(renamed);
}

/** Refuses `factor.notFound`. */
export async function removePasskey(app: App, { userId }: Caller, id: string): Promise<void> {
  await app.transact('remove passkey', async (tx) => {
    const person = await holdUser(tx, userId);
    if (person === null) throw noSession();
    const name = await store.deletePasskey(tx, userId, id);
    if (name === null) throw notFound('factor.notFound');
    await factorRemoved(app, tx, person, { kind: 'passkeyRemoved', name });
  });
}

const tooMany = () =>
  new Refusal('factor.tooMany', `You can have up to ${mostPasskeys} passkeys.`, { code: 409 });
