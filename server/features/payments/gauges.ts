import { later, minuteMs, type Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/db.ts';
import { countedForGauge as most, type GaugeSource } from '../../platform/observability/metrics.ts';
import { alarmsByKind, dueSteps, openClaims, unprocessedEvents } from './queries.ts';

/**
 * A step that has been due for this long is late: the card provider does not answer, or no worker is running.
 */
const lateAfterMs = 15 * minuteMs;

/** Payments that wait for the card provider or for an admin. */
export const paymentGauges = (db: Db, clock: Clock): GaugeSource[] => [
  {
    name: 'sameway_payment_steps',
    help: `Steps of authorizations that wait for the card provider, and those that have done so for 15 minutes; counted up to ${most}.`,
    labels: ['state'],
    async read() {
      const now = clock.now();
      return [
        { labels: { state: 'due' }, value: await dueSteps(db, now, most) },
        { labels: { state: 'late' }, value: await dueSteps(db, later(now, -lateAfterMs), most) },
      ];
    },
  },
  {
    name: 'sameway_provider_events_due',
    help: `Webhooks of the card provider that are not processed, counted up to ${most}.`,
    read: async () => [{ value: await unprocessedEvents(db, most) }],
  },
  {
    name: 'sameway_payment_alarms',
    help: 'What about money waits for an admin, by kind.',
    labels: ['kind'],
    read: async () => (await alarmsByKind(db)).map(({ kind, count }) => ({ labels: { kind }, value: count })),
  },
  {
    name: 'sameway_disputes_open',
    help: `Claims of passengers that no admin has decided, counted up to ${most}.`,
    read: async () => [{ value: await openClaims(db, most) }],
  },
];
