import { dayMs, later } from '../../platform/clock.ts';
import { cancelOrders } from './cancel-orders.ts';
import type { PrivacyContext } from './context.ts';
import type { createErasePerson } from './erase-person.ts';
import { deletedEmail } from './rules/emails.ts';

/** A ride that is under way when the day has come ends first. */
const tryAgainMs = dayMs / 24;

interface DeletionContext extends PrivacyContext {
  erasePerson: ReturnType<typeof createErasePerson>;
}

/**
 * Carries out the deletions whose day has come. One that fails does not hold up the others and is tried
 * again.
 */
export async function deleteDue(context: DeletionContext): Promise<void> {
  const { db, clock, log } = context.platform;
  for (const userId of await context.identity.deletion.due(db, clock.now())) {
    try {
      await deleteOrPostpone(context, userId);
    } catch (error) {
      log.error({ err: error, userId }, 'a deletion failed');
    }
  }
}

async function deleteOrPostpone(context: DeletionContext, userId: string): Promise<void> {
  const { identity, payments, pictures, erasePerson } = context;
  const { transact, outbox, clock } = context.platform;
  const { underWay, feeDue } = await cancelOrders(context, userId);
  const mustWait = underWay || feeDue;
  if (!mustWait) await payments.forgetCustomer(userId);
  await transact(async (tx, afterCommit) => {
    const details = (await identity.contactDetails([userId])).get(userId);
    if (mustWait) return identity.deletion.postpone(tx, userId, later(clock.now(), tryAgainMs));
    await identity.endAllSessions(tx, userId, afterCommit);
    await pictures.removeAllOf(tx, userId);
    await erasePerson(tx, userId, clock.now());
    if (details !== undefined)
      await outbox.post(tx, { to: details.email, ...deletedEmail(details.language) });
    await outbox.tell(tx, [userId], { topic: 'profile', id: userId, news: null });
  });
}
