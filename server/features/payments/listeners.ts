import type { Platform } from '../../platform/platform.ts';
import type { PaymentsService } from './service.ts';

/** A driver whose account can be paid again: authorizations that were refused for want of it are placed. */
export function listenForAccounts({ outbox }: Platform, payments: PaymentsService): void {
  outbox.on('account.moved', 'payments', async ({ payload: { userId, state } }) => {
    if (state === 'verified') await payments.replaceRefused(userId);
  });
}
