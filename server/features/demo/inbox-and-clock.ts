import type { OutputOf } from '#contract/define.ts';
import type { readOutbox } from '#contract/demo/endpoints.ts';
import type { App } from '../../app-type.ts';
import { MovableClock } from '../../platform/clock.ts';
import { newestMessages } from '../../platform/messages/built-in-outbox.ts';
import { refuseField } from '../../platform/refusal.ts';
import * as store from './store.ts';

const mostEmails = 100;

/**
 * The latest emails, the newest first. A demo that other machines can reach leaves out those to admins: with
 * a password reset code any visitor could enter the admin's account.
 */
export async function listEmails({ db, env }: App): Promise<OutputOf<typeof readOutbox>['letters']> {
  const rows = await newestMessages(db, {
    most: mostEmails,
    condition: (recipient) => (env.isPublicDemo ? store.isNotOfStaff(recipient) : undefined),
  });
  return rows.map(({ id, recipient, subject, body, page, at }) => ({
    id,
    to: recipient,
    subject,
    text: body,
    page,
    at: at.toISOString(),
  }));
}

/**
 * Moves the clock forward to an instant, or back to the real time (null); the offset survives a restart, and
 * all open pages are notified. Refuses `clock.backwards`.
 */
export async function moveClock(
  { clock, transact, realtime }: App,
  to: Date | null,
): Promise<{ now: string }> {
  if (!(clock instanceof MovableClock)) throw new Error('The demo runs on a movable clock.');
  if (to !== null && to < clock.now())
    throw refuseField('clock.backwards', 'to', 'Demo time only moves forward.');
  await transact('move clock', (tx) =>
    store.keepClockOffset(tx, to === null ? 0 : to.getTime() - Date.now()),
  );
  clock.moveTo(to);
  const now = clock.now().toISOString();
  realtime.tellEveryone('clock', { now });
  return { now };
}
