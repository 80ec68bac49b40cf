import type { App } from '../../app-type.ts';
import { minuteMs, secondMs } from '../../platform/clock.ts';
import type { Schedule } from '../../platform/queue/scheduler.ts';
import { writeNotedAlarms } from './alarms/raise-alarm.ts';
import { isTestMoneyLeft } from './authorizations/end-test-money.ts';
import { isAnyPaymentDue } from './queries.ts';
import { reconcile } from './reconciliation/reconcile.ts';
import { lookForEvents, workOnPayments } from './work-due.ts';

export const schedulePayments = (app: App): Schedule => ({
  tasks: [
    {
      name: 'test money',
      everyMs: secondMs,
      isShared: true,
      ...(app.payments.isDue !== null && { isDue: app.payments.isDue }),
      run: app.payments.catchUp,
    },
    { name: 'payment alarms', everyMs: secondMs, isShared: true, run: () => writeNotedAlarms(app) },
    {
      name: 'payments',
      everyMs: secondMs,
      isApart: true,
      isShared: true,
      isDue: (now) => isAnyPaymentDue(now, isTestMoneyLeft(app)),
      run: () => workOnPayments(app),
    },
    { name: 'missed events', everyMs: minuteMs, isApart: true, run: () => lookForEvents(app) },
    {
      name: 'reconciliation',
      everyMs: 60 * minuteMs,
      isApart: true,
      run: async () => void (await reconcile(app)),
    },
  ],
});
