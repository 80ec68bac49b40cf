import type { App } from '../../app-type.ts';
import { replaceRefused } from './authorizations/plan-authorization.ts';

/** A driver whose account can be paid again: authorizations that were refused for want of it are placed. */
export function listenForAccounts(app: App): void {
  app.outbox.on('account.moved', 'payments', async ({ payload: { userId, state } }) => {
    if (state === 'verified') await replaceRefused(app, userId);
  });
}
