import type { Platform } from '../../../platform/platform.ts';
import type { AdminService } from './service.ts';

/** Cancels a suspended person's orders, each in its own transaction, and retries when one fails. */
export function listenForSuspensions({ outbox }: Platform, admin: AdminService): void {
  outbox.on('user.suspended', 'suspension', ({ payload }) => admin.takeBackOrders(payload.userId));
}
