import type { Platform } from '../../../platform/platform.ts';
import type { AdminService } from './service.ts';

/** A suspended person's plans are taken back, in their own transactions and tried again when one fails. */
export function listenForSuspensions({ outbox }: Platform, admin: AdminService): void {
  outbox.on('user.suspended', 'suspension', ({ payload }) => admin.takeBackOrders(payload.userId));
}
