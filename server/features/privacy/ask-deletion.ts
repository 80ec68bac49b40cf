import { deletionDays } from '#contract/privacy/endpoints.ts';
import { dayMs, later } from '../../platform/clock.ts';
import { inRepeatableSteps } from '../../platform/database/transact.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { movedOn, noSession, refuseField } from '../../platform/refusal.ts';
import { cancelOrders } from './cancel-orders.ts';
import type { PrivacyContext } from './context.ts';
import { deletionAskedEmail, deletionUndoneEmail } from './rules/emails.ts';

const deletionAfterMs = deletionDays * dayMs;

/**
 * Cancels open orders and bookings and marks the account; it is deleted after 14 days unless the person
 * changes their mind. Refuses `privacy.passwordWrong`, `session.stepUp`, `privacy.lastOwner`,
 * `privacy.rideUnderWay` while a person is on board, and `privacy.feeDue` where canceling a booking costs a
 * fee.
 */
export async function askDeletion(
  context: PrivacyContext,
  caller: Caller,
  password: string,
): Promise<{ deletionDueAt: string; cancelledOrders: number }> {
  const { identity } = context;
  const { userId } = caller;
  const { transact, outbox, clock } = context.platform;
  if (!(await identity.confirmsIdentity(caller, password)))
    throw refuseField('privacy.passwordWrong', 'password', 'That password isn’t right.');
  if (await transact((tx) => identity.deletion.isLastOwner(tx, userId))) throw lastOwner();
  // One transaction per order: after a crash, the next try does the rest.
  const { cancelled, underWay, feeDue } = await inRepeatableSteps(() => cancelOrders(context, userId));
  if (underWay)
    throw movedOn('privacy.rideUnderWay', 'One of your rides is underway. Please try again when it ends.');
  if (feeDue)
    throw movedOn(
      'privacy.feeDue',
      'Canceling one of your rides now costs a fee. Please cancel it yourself first to see the amount.',
    );
  const now = clock.now();
  const asked = await transact(async (tx) => {
    if (await identity.deletion.isLastOwner(tx, userId)) throw lastOwner();
    const marked = await identity.deletion.ask(tx, userId, now, later(now, deletionAfterMs));
    if (marked?.isNew === true)
      await outbox.post(tx, { to: marked.email, ...deletionAskedEmail(marked.language, marked.dueAt) });
    await outbox.emit(tx, 'profile.changed', { userId }, userId);
    return marked;
  });
  if (asked === null) throw noSession();
  return { deletionDueAt: asked.dueAt.toISOString(), cancelledOrders: cancelled };
}

const lastOwner = () =>
  movedOn(
    'privacy.lastOwner',
    'You’re the last owner of this server. Please make another person an owner first.',
  );

/** Cancels the deletion; canceled orders stay canceled. Does nothing when no deletion is pending. */
export async function undoDeletion(
  { identity, platform: { transact, outbox } }: PrivacyContext,
  userId: string,
): Promise<void> {
  await transact(async (tx) => {
    if (!(await identity.deletion.undo(tx, userId))) return;
    const details = (await identity.contactDetails([userId])).get(userId);
    if (details !== undefined)
      await outbox.post(tx, { to: details.email, ...deletionUndoneEmail(details.language) });
    await outbox.emit(tx, 'profile.changed', { userId }, userId);
  });
}
