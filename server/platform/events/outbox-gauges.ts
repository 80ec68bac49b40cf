import { sql } from 'drizzle-orm';
import { undelivered } from '../../schema/platform.ts';
import type { Clock } from '../clock.ts';
import { countUpTo } from '../database/count-up-to.ts';
import type { Db } from '../database/db.ts';
import { countedForGauge, type GaugeSource } from '../observability/metrics.ts';
import { oldestUnheard, unheardRows } from './event-log.ts';

/** By how much listeners, emails and messages are delayed. */
export const outboxGauges = (db: Db, clock: Clock, consumers: () => readonly string[]): GaugeSource[] => [
  {
    name: 'sameway_event_lag_seconds',
    help: 'Age of the oldest operation that some listener has not heard, by the clock of the app.',
    async read() {
      const at = await oldestUnheard(db, consumers());
      return [{ value: at === null ? 0 : Math.max(0, (clock.now().getTime() - at.getTime()) / 1000) }];
    },
  },
  {
    name: 'sameway_events_unheard',
    help: `Operations that some listener has not heard, counted up to ${countedForGauge}.`,
    read: async () => [{ value: await unheardRows(db, consumers(), countedForGauge) }],
  },
  {
    name: 'sameway_jobs',
    help: `Emails, texts, pushes and late signals: due now, and tried in vain before; counted up to ${countedForGauge}.`,
    labels: ['state'],
    async read() {
      const count = async (condition: ReturnType<typeof sql>) => {
        const { rows } = await db.execute<{ count: number }>(sql`
          select count(*)::int as count from (
            select from graphile_worker.jobs where ${condition} limit ${countedForGauge}) job`);
        return rows[0]?.count ?? 0;
      };
      return [
        { labels: { state: 'due' }, value: await count(sql`run_at <= now() and locked_at is null`) },
        { labels: { state: 'retrying' }, value: await count(sql`attempts > 0 and locked_at is null`) },
      ];
    },
  },
  {
    name: 'sameway_undelivered',
    help: `Emails, texts, pushes and signals that failed for good and wait for an admin, counted up to ${countedForGauge}.`,
    read: async () => [
      { value: await countUpTo(db, undelivered, { by: sql`at desc`, most: countedForGauge }) },
    ],
  },
];
