import type { App } from '../../app-type.ts';
import * as store from './store.ts';

/**
 * Sets the password of the account with an email and ends its sessions, which began with the former one. Call
 * before the server listens: open pages are not notified.
 */
export async function replacePassword(
  { transact, clock }: App,
  email: string,
  passwordHash: string,
): Promise<void> {
  await transact('replace password', async (tx) => {
    const userId = await store.replacePassword(tx, email, passwordHash);
    if (userId !== null) await store.endSessions(tx, { userId }, clock.now());
  });
}
