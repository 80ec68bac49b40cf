import { deletionDays } from '#contract/privacy/endpoints.ts';
import type { App } from '../../app-type.ts';
import { dayMs, later } from '../../platform/clock.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { movedOn, noSession, Refusal, refuseField } from '../../platform/refusal.ts';
import {
  confirmsIdentity,
  isLastOwner,
  scheduleDeletion,
  cancelDeletion,
  contactDetailsOf,
} from '../identity/service.ts';
import { cancelOrders, previewLeaving } from './delete-due.ts';
import { deletionAskedEmail, deletionUndoneEmail } from './rules/emails.ts';
import { whyNotLeave } from './rules/may-leave.ts';

const deletionAfterMs = deletionDays * dayMs;

/**
 * Cancels open orders and bookings and marks the account; it is deleted after 14 days unless the person
 * changes their mind. Refuses `privacy.passwordWrong`, `session.stepUp`, `privacy.lastOwner`, and what
 * `whyNotLeave` refuses, all before anything is canceled; `privacy.orderMoved` where an order moves at that
 * moment.
 */
export async function askDeletion(
  app: App,
  caller: Caller,
  password: string,
): Promise<{ deletionDueAt: string; canceledOrders: number }> {
  const { userId } = caller;
  const { transact, outbox, clock } = app;
  if (!(await confirmsIdentity(app, caller, password)))
    throw refuseField('privacy.passwordWrong', 'password', 'That password isn’t right.');
  if (await transact('check last owner', (tx) => isLastOwner(tx, userId))) throw lastOwner();
  const against = whyNotLeave(await previewLeaving(app, userId));
  if (against !== null) throw against;
  // One transaction per order: after a crash, the next try does the rest.
  const canceled = await cancelUnmoved({ ...app, transact: app.transactRepeatably }, userId);
  const now = clock.now();
  const asked = await transact('ask deletion', async (tx) => {
    if (await isLastOwner(tx, userId)) throw lastOwner();
    const marked = await scheduleDeletion(tx, userId, now, later(now, deletionAfterMs));
    if (marked?.isNew === true)
      await outbox.post(tx, { to: marked.email, ...deletionAskedEmail(marked.language, marked.dueAt) });
    await outbox.emit(tx, 'profile.changed', { userId }, userId);
    return marked;
  });
  if (asked === null) throw noSession();
  return { deletionDueAt: asked.dueAt.toISOString(), canceledOrders: canceled };
}

/** Cancels what is open; an order that has moved since the preview is refused with a new one. */
async function cancelUnmoved(app: App, userId: string): Promise<number> {
  try {
    return await cancelOrders(app, userId);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const preview = await previewLeaving(app, userId);
    throw (
      whyNotLeave(preview) ??
      movedOn('privacy.orderMoved', 'One of your rides just changed. Please check again.', { preview })
    );
  }
}

const lastOwner = () =>
  movedOn(
    'privacy.lastOwner',
    'You’re the last owner of this server. Please make another person an owner first.',
  );

const deletionIsDue = () =>
  movedOn('privacy.deletionDue', 'Your account is being deleted now and can’t be kept.');

/**
 * Cancels the deletion; canceled orders stay canceled. Does nothing when no deletion is pending. Refuses
 * `privacy.deletionDue` once it is due: the person's cards may be deleted already.
 */
export async function undoDeletion(app: App, userId: string): Promise<void> {
  await app.transact('undo deletion', async (tx) => {
    const outcome = await cancelDeletion(tx, userId, app.clock.now());
    if (outcome === 'isDue') throw deletionIsDue();
    if (outcome === 'notPending') return;
    const details = (await contactDetailsOf(app, [userId], tx)).get(userId);
    if (details !== undefined)
      await app.outbox.post(tx, { to: details.email, ...deletionUndoneEmail(details.language) });
    await app.outbox.emit(tx, 'profile.changed', { userId }, userId);
  });
}
