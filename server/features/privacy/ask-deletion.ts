import { deletionDays } from '#contract/privacy/endpoints.ts';
import { dayMs, later } from '../../platform/clock.ts';
import { inRepeatableSteps } from '../../platform/database/transact.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { movedOn, noSession, Refusal, refuseField } from '../../platform/refusal.ts';
import { cancelOrders } from './cancel-orders.ts';
import type { PrivacyContext } from './context.ts';
import { previewLeaving } from './preview-leaving.ts';
import { deletionAskedEmail, deletionUndoneEmail } from './rules/emails.ts';
import { whyNotLeave } from './rules/may-leave.ts';
import {
  confirmsIdentity,
  isLastOwner,
  scheduleDeletion,
  cancelDeletion,
  contactDetailsOf,
} from '../identity/service.ts';

const deletionAfterMs = deletionDays * dayMs;

/**
 * Cancels open orders and bookings and marks the account; it is deleted after 14 days unless the person
 * changes their mind. Refuses `privacy.passwordWrong`, `session.stepUp`, `privacy.lastOwner`, and what
 * `whyNotLeave` refuses, all before anything is canceled; `privacy.orderMoved` where an order moves at that
 * moment.
 */
export async function askDeletion(
  context: PrivacyContext,
  caller: Caller,
  password: string,
): Promise<{ deletionDueAt: string; canceledOrders: number }> {
  const { userId } = caller;
  const { transact, outbox, clock } = context.platform;
  if (!(await confirmsIdentity(context.platform, caller, password)))
    throw refuseField('privacy.passwordWrong', 'password', 'That password isn’t right.');
  if (await transact((tx) => isLastOwner(tx, userId))) throw lastOwner();
  const against = whyNotLeave(await previewLeaving(context, userId));
  if (against !== null) throw against;
  // One transaction per order: after a crash, the next try does the rest.
  const canceled = await inRepeatableSteps(() => cancelUnmoved(context, userId));
  const now = clock.now();
  const asked = await transact(async (tx) => {
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
async function cancelUnmoved(context: PrivacyContext, userId: string): Promise<number> {
  try {
    return await cancelOrders(context, userId);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const preview = await previewLeaving(context, userId);
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
export async function undoDeletion({ platform }: PrivacyContext, userId: string): Promise<void> {
  await platform.transact(async (tx) => {
    const outcome = await cancelDeletion(tx, userId, platform.clock.now());
    if (outcome === 'isDue') throw deletionIsDue();
    if (outcome === 'notPending') return;
    const details = (await contactDetailsOf(platform, [userId])).get(userId);
    if (details !== undefined)
      await platform.outbox.post(tx, { to: details.email, ...deletionUndoneEmail(details.language) });
    await platform.outbox.emit(tx, 'profile.changed', { userId }, userId);
  });
}
