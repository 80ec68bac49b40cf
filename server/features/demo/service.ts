import { not } from 'drizzle-orm';
import type { OutputOf } from '#contract/define.ts';
import type { readOutbox } from '#contract/demo/endpoints.ts';
import type { Platform } from '../../platform/platform.ts';
import { MovableClock } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/db.ts';
import { newestMessages } from '../../platform/messages/built-in-outbox.ts';
import { refuseField } from '../../platform/refusal.ts';
import { isStaffAddress } from '../identity/queries.ts';
import { showsOutbox } from './policy.ts';
import * as store from './store.ts';

export { demoAccounts, demoPassword } from './accounts.ts';
export { showsOutbox } from './policy.ts';

const mostEmails = 100;

export type DemoService = ReturnType<typeof createDemo>;

/** Tools for visitors of the demo: readable emails and a clock that can be moved. */
export function createDemo({ env, db, transact, clock, realtime }: Platform) {
  return {
    showsOutbox: showsOutbox(env),
    movesClock: env.DEMO,

    /**
     * The latest emails, the newest first. A demo that other machines can reach leaves out those to admins:
     * with a password reset code any visitor could enter the admin's account.
     */
    async letters(): Promise<OutputOf<typeof readOutbox>['letters']> {
      const rows = await newestMessages(db, {
        most: mostEmails,
        condition: (recipient) => (env.isPublicDemo ? not(isStaffAddress(recipient)) : undefined),
      });
      return rows.map(({ id, recipient, subject, body, page, at }) => ({
        id,
        to: recipient,
        subject,
        text: body,
        page,
        at: at.toISOString(),
      }));
    },

    /**
     * Moves the clock forward to an instant, or back to the real time (null); the offset survives a restart,
     * and all open pages are notified. Refuses `clock.backwards`.
     */
    async moveClock(to: Date | null): Promise<{ now: string }> {
      if (!(clock instanceof MovableClock)) throw new Error('The demo runs on a movable clock.');
      if (to !== null && to < clock.now())
        throw refuseField('clock.backwards', 'to', 'Demo time only moves forward.');
      await transact((tx) => store.keepClockOffset(tx, to === null ? 0 : to.getTime() - Date.now()));
      clock.moveTo(to);
      const now = clock.now().toISOString();
      realtime.tellEveryone('clock', { now });
      return { now };
    },
  };
}

/**
 * Milliseconds by which the demo's clock was ahead when the server stopped; the new clock starts with that
 * offset.
 */
export const loadClockOffset = (db: Db): Promise<number> => store.readClockOffset(db);
