import type { App } from '../../app-type.ts';
import { later, minuteMs, type Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/db.ts';
import { countedForGauge as most, type GaugeSource } from '../../platform/observability/metrics.ts';
import { readDueAccounts } from './accounts/driver-account.ts';
import { endTestMoney } from './authorizations/end-test-money.ts';
import { workOnAuthorizations } from './authorizations/worker.ts';
import { bookBalance } from './books/compare-books.ts';
import { moveDueTransfers } from './chargebacks/move-transfer.ts';
import { readWithoutPayment } from './chargebacks/record-chargeback.ts';
import { cancelUndecided } from './claims/resolve-claim.ts';
import { alarmsByKind, dueSteps, openClaims, unprocessedEvents } from './queries.ts';
import { catchUpWithEvents } from './webhooks/receive-events.ts';

/** Does everything about payments that is due. */
export async function workOnPayments(app: App): Promise<void> {
  await cancelUndecided(app);
  await endTestMoney(app);
  await workOnAuthorizations(app);
  await moveDueTransfers(app);
}

/** Reads from the provider what no webhook has brought. */
export async function lookForEvents(app: App): Promise<void> {
  await catchUpWithEvents(app);
  await readWithoutPayment(app);
  await readDueAccounts(app);
  await bookBalance(app);
}

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
