import { hourMs, secondMs } from '../../platform/clock.ts';
import type { Schedule } from '../../platform/queue/scheduler.ts';
import type { ConnectService } from './service.ts';
import { isAnyDeliveryDue } from './webhooks/store.ts';

export const scheduleConnect = ({ webhooks }: ConnectService): Schedule => ({
  tasks: [
    {
      name: 'webhooks',
      everyMs: secondMs,
      isApart: true,
      isShared: true,
      isDue: isAnyDeliveryDue,
      run: webhooks.work,
    },
    { name: 'old webhook deliveries', everyMs: hourMs, isApart: true, run: webhooks.clearOld },
  ],
});
