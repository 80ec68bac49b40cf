import { minuteMs, secondMs } from '../../platform/clock.ts';
import type { Schedule } from '../../platform/queue/scheduler.ts';
import type { PaymentsService } from './service.ts';

export const schedulePayments = (payments: PaymentsService): Schedule => ({
  tasks: [
    {
      name: 'test money',
      everyMs: secondMs,
      isShared: true,
      ...(payments.isSandboxDue !== null && { isDue: payments.isSandboxDue }),
      run: payments.playSandbox,
    },
    { name: 'payment alarms', everyMs: secondMs, isShared: true, run: payments.writeAlarms },
    {
      name: 'payments',
      everyMs: secondMs,
      isApart: true,
      isShared: true,
      isDue: payments.isWorkDue,
      run: payments.work,
    },
    { name: 'missed events', everyMs: minuteMs, isApart: true, run: payments.lookForEvents },
    {
      name: 'reconciliation',
      everyMs: 60 * minuteMs,
      isApart: true,
      run: async () => void (await payments.reconcile()),
    },
  ],
});
