import type { Leaving } from '#contract/privacy/endpoints.ts';
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
import { openOrdersOf } from '../orders/queries.ts';
import { viewOrder, previewCancellation, cancelOrder } from '../orders/service.ts';
import { unsettledOf } from '../payments/queries.ts';
import { deleteCustomer } from '../payments/service.ts';
import { removePicturesOf } from '../pictures/service.ts';
import { deletedEmail, leavingReason } from './rules/emails.ts';
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

/**
 * The orders that leaving would cancel, soonest first, with fees and strikes, and what must end or be paid
 * first.
 */
export async function previewLeaving(app: App, userId: string): Promise<Leaving> {
  const { db } = app;
  const found: Leaving['orders'] = [];
  for (const { id } of await openOrdersOf(db, userId)) {
    const order = await viewOrder(app, id, userId);
    const { may, joined, feeCents, strike } = await previewCancellation(app, id, userId);
    found.push({
      id,
      orderNumber: order.orderNumber,
      role: order.role,
      from: order.from.name,
      to: order.to.name,
      at: order.role === 'driver' ? order.departsAt : order.earliestAt,
      timeZone: order.timeZone,
      joined,
      may,
      feeCents,
      strike,
    });
  }
  const soonestFirst = found.toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at));
  return { orders: soonestFirst, ...(await unsettledOf(db, userId)) };
}

/**
 * Cancels a person's open orders and bookings, each by the rules of its state, after `whyNotLeave` has found
 * nothing against it. Throws the refusal of one that has moved since then.
 * @returns how many were canceled.
 */
export async function cancelOrders(app: App, userId: string): Promise<number> {
  const { db } = app;
  const open = await openOrdersOf(db, userId);
  for (const { id } of open) await cancelOrder(app, userId, { id, reason: leavingReason });
  return open.length;
}
