import { secondMs, type Clock } from '../../../platform/clock.ts';
import type { Db } from '../../../platform/database/db.ts';
import { countedForGauge, type GaugeSource } from '../../../platform/observability/metrics.ts';
import { waitingDeliveries } from './store.ts';

/** Metrics about webhook deliveries that are late. */
export const webhookGauges = (db: Db, clock: Clock): GaugeSource[] => [
  {
    name: 'sameway_webhook_deliveries_waiting',
    help: `Events that a webhook which is on has not been told yet, tried in vain or not at all; counted up to ${countedForGauge}.`,
    read: async () => [{ value: (await waitingDeliveries(db, countedForGauge)).count }],
  },
  {
    name: 'sameway_webhook_oldest_seconds',
    help: 'Age of the oldest of them, by the clock of the app; 0 without any.',
    async read() {
      const { oldestAt } = await waitingDeliveries(db, countedForGauge);
      const ageMs = oldestAt === null ? 0 : clock.now().getTime() - oldestAt.getTime();
      return [{ value: Math.max(0, ageMs / secondMs) }];
    },
  },
];
