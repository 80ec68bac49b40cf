import type { App } from '../../app-type.ts';
import { dayMs, later } from '../../platform/clock.ts';
import { Refusal } from '../../platform/refusal.ts';
import {
  contactDetailsOf,
  dueForDeletion,
  endAllSessions,
  lockForDeletion,
  postponeDeletion,
} from '../identity/service.ts';
import { deleteCustomer } from '../payments/service.ts';
import { removePicturesOf } from '../pictures/service.ts';
import { cancelOrders } from './cancel-orders.ts';
import { previewLeaving } from './preview-leaving.ts';
import { deletedEmail } from './rules/emails.ts';
import { whyNotLeave } from './rules/may-leave.ts';

/** The delay of a deletion that is due while a ride is under way, or money is still open. */
const tryAgainMs = dayMs / 24;

/** Runs the deletions that are due. One that fails does not block the others and is retried. */
export async function deleteDue(app: App): Promise<void> {
  const { db, clock, log } = app;
  for (const userId of await dueForDeletion(db, clock.now())) {
    try {
      await deleteOrPostpone(app, userId);
    } catch (error) {
      log.error({ err: error, userId }, 'a deletion failed');
    }
  }
}

async function deleteOrPostpone(app: App, userId: string): Promise<void> {
  const { transact, outbox, clock } = app;
  const mustWait = !(await endsOrders(app, userId));
  if (!mustWait) await deleteCustomer(app, userId);
  await transact('delete or postpone', async (tx, afterCommit) => {
    const details = (await contactDetailsOf(app, [userId], tx)).get(userId);
    // A process whose clock is behind may have let the person keep it meanwhile.
    if (!(await lockForDeletion(tx, userId, clock.now()))) return;
    if (mustWait) return postponeDeletion(tx, userId, later(clock.now(), tryAgainMs));
    await endAllSessions(app, tx, userId, afterCommit);
    await removePicturesOf(tx, userId);
    await app.privacy.erasePerson(tx, userId, clock.now());
    if (details !== undefined)
      await outbox.post(tx, { to: details.email, ...deletedEmail(details.language) });
    await outbox.tell(tx, [userId], { topic: 'profile', id: userId, news: null });
  });
}

/** Cancels what a person has open; false where a debt or a ride must end first. */
async function endsOrders(app: App, userId: string): Promise<boolean> {
  const against = whyNotLeave(await previewLeaving(app, userId));
  if (against !== null) {
    app.log.warn({ userId, reason: against.reason }, 'a deletion that is due waits');
    return false;
  }
  try {
    await cancelOrders(app, userId);
    return true;
  } catch (error) {
    // It moved at this moment: tried again later.
    if (!(error instanceof Refusal)) throw error;
    return false;
  }
}
