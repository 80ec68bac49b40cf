import { keptMs } from '#contract/privacy/retention.ts';
import type { App } from '../../app-type.ts';
import { minuteMs, later } from '../../platform/clock.ts';
import type { Schedule } from '../../platform/queue/scheduler.ts';
import * as secondFactors from './second-factor/store.ts';
import * as signIns from './sign-ins/store.ts';
import * as store from './store.ts';

export const scheduleIdentity = (app: App): Schedule => ({
  tasks: [{ name: 'old sign-ins', everyMs: 5 * minuteMs, isApart: true, run: () => clearOldAccess(app) }],
});

/** Deletes expired codes, tries, sign-ups, oauth attempts, idempotency keys and sessions. */
export async function clearOldAccess({ db, clock }: App): Promise<void> {
  const now = clock.now();
  await store.clearOld(db, {
    now,
    // As long as a token lasts: while it could be reused, the server must detect that.
    sessionsEnded: later(now, -keptMs('sessions')),
    signupsMade: later(now, -keptMs('signups')),
    keysUsed: later(now, -keptMs('repeats')),
  });
  await secondFactors.clearOld(db, now);
  await signIns.clearOldSignIns(db, later(now, -keptMs('signIns')));
}
