import type { App } from '../../app-type.ts';
import { hourMs, secondMs } from '../../platform/clock.ts';
import type { Schedule } from '../../platform/queue/scheduler.ts';
import { clearOldDeliveries } from './webhooks/manage-webhooks.ts';
import { sendDueDeliveries } from './webhooks/deliver.ts';
import { isAnyDeliveryDue } from './webhooks/store.ts';

export const scheduleConnect = (app: App): Schedule => ({
  tasks: [
    {
      name: 'webhooks',
      everyMs: secondMs,
      isApart: true,
      isShared: true,
      isDue: isAnyDeliveryDue,
      run: () => sendDueDeliveries(app),
    },
    { name: 'old webhook deliveries', everyMs: hourMs, isApart: true, run: () => clearOldDeliveries(app) },
  ],
});
