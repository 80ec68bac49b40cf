import type { App } from '../../../app-type.ts';
import { takeBackOrders } from './suspend-user.ts';

/** Cancels a suspended person's orders, each in its own transaction, and retries when one fails. */
export function listenForSuspensions(app: App): void {
  app.outbox.on('user.suspended', 'suspension', ({ payload }) => takeBackOrders(app, payload.userId));
}
