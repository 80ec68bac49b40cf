import type { z } from 'zod';
import type { ManagedUser, suspendUser } from '#contract/admin/endpoints.ts';
import type { App } from '../../../app-type.ts';
import { dayMs, later } from '../../../platform/clock.ts';
import type { CommandPlatform } from '../../../platform/command-platform.ts';
import type { Db } from '../../../platform/database/db.ts';
import { notFound, refuseField, Refusal } from '../../../platform/refusal.ts';
import { accountIdOf, findAccount, type UserRow } from '../../identity/queries.ts';
import { suspendAccount, endAllSessions, unsuspendAccount } from '../../identity/service.ts';
import { openOrdersOf } from '../../orders/queries.ts';
import { takeBackOrder } from '../../orders/service.ts';
import { appealPurpose } from '../feedback/write-feedback.ts';
import { alreadySo, peopleOf, viewUser } from './view.ts';
import { suspendedEmail, unsuspendedEmail } from './rules/emails.ts';

/** The transaction in which to suspend a person. */
interface Within {
  tx: Db;
  afterCommit: (task: () => void) => void;
}

/** How long a suspended person can appeal. */
const appealWithinMs = 90 * dayMs;

/** Refusals that the automatic suspension ignores: an admin, suspended already, or gone. */
const keptAsTheyAre = ['admin.notAdmins', 'admin.movedOn', 'admin.userNotFound'];

const userNotFound = () => notFound('admin.userNotFound', 'We couldn’t find this person.');

/**
 * Suspends a person or ends the suspension. Refuses `admin.reasonMissing`, `admin.userNotFound`,
 * `admin.notAdmins`, and `admin.movedOn` when another admin was faster.
 */
export async function setSuspended(
  app: App,
  adminId: string,
  { id, suspended, reason }: z.output<typeof suspendUser.input>,
): Promise<ManagedUser> {
  const row = await (suspended ? suspend(app, adminId, id, reason) : unsuspend(app, adminId, id, reason));
  const person = (await peopleOf(app, [id])).get(id);
  if (person === undefined) throw userNotFound();
  return viewUser(row, person);
}

/**
 * The same for the command line, by email address. Refuses what `setSuspended` refuses.
 */
export async function setSuspendedByEmail(
  app: CommandPlatform,
  { email, suspended, reason }: { email: string; suspended: boolean; reason: string },
): Promise<UserRow> {
  const id = await accountIdOf(app.db, email);
  if (id === null) throw notFound('admin.userNotFound', `There is no account with the email ${email}.`);
  return (suspended ? suspend : unsuspend)(app, null, id, reason);
}

/**
 * Suspends a person automatically, in the caller's transaction; leaves admins, and people who are already
 * suspended, unchanged.
 */
export async function suspendByRules(
  app: App,
  within: Within,
  { id, reason }: { id: string; reason: string },
): Promise<void> {
  try {
    await suspendIn(app, within, { adminId: null, id, reason });
  } catch (error) {
    if (!(error instanceof Refusal) || !keptAsTheyAre.includes(error.reason)) throw error;
    app.log.info({ userId: id, reason: error.reason }, 'the rules could not suspend this person');
  }
}

/** Cancels a suspended person's orders, at no cost for them; rides under way continue. */
export async function takeBackOrders(app: App, userId: string): Promise<void> {
  const { db, log } = app;
  if ((await findAccount(db, userId))?.suspendedAt === null) return;
  for (const { id: orderId } of await openOrdersOf(db, userId)) {
    const refusal = await takeBack(app, userId, orderId);
    if (refusal !== null)
      log.warn({ userId, orderId, reason: refusal.reason }, 'an order of a suspended person stays');
  }
}

/** Maximum tries of an order that moves at the same moment, such as when its driver accepts. */
const mostTries = 5;

/** Cancels one order; the reason why it stays, or null. One that has just moved is tried again. */
async function takeBack(app: App, userId: string, orderId: string): Promise<Refusal | null> {
  for (let tries = 1; ; tries++) {
    try {
      await takeBackOrder(app, userId, orderId, 'This trip can’t take place.');
      return null;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      if (!error.reason.endsWith('.moved') || tries === mostTries) return error;
    }
  }
}

/** @param adminId null for an automatic suspension, and for the command line. */
async function suspend(
  app: CommandPlatform,
  adminId: string | null,
  id: string,
  reason: string,
): Promise<UserRow> {
  if (reason === '') throw refuseField('admin.reasonMissing', 'reason', 'Please enter a reason.');
  return app.transact('suspend', (tx, afterCommit) =>
    suspendIn(app, { tx, afterCommit }, { adminId, id, reason }),
  );
}

async function suspendIn(
  app: CommandPlatform,
  { tx, afterCommit }: Within,
  { adminId, id, reason }: { adminId: string | null; id: string; reason: string },
): Promise<UserRow> {
  const { realtime, audit, outbox, signedTokens, clock, env } = app;
  const row = await suspendAccount(tx, id, clock.now(), reason);
  if (row === null) throw await whyNotSuspended(tx, id);
  // Published before the sockets are closed: the web app reads the profile again, gets the reason, and
  // signs out.
  afterCommit(() => realtime.tell([id], 'changed', { topic: 'profile', id, news: 'user.suspended' }));
  await endAllSessions(app, tx, id, afterCommit);
  await audit.note(tx, { adminId, action: 'user.suspended', personId: id, note: reason });
  await outbox.emit(tx, 'user.suspended', { userId: id }, id);
  const code = await signedTokens.sign(appealPurpose, [id], later(clock.now(), appealWithinMs));
  const appealAt = `${env.publicUrl}/pages/feedback/appeal?code=${code}`;
  await outbox.post(tx, { to: row.email, ...suspendedEmail(row.language, { reason, appealAt }) });
  return row;
}

async function unsuspend(
  { db, transact, audit, outbox }: CommandPlatform,
  adminId: string | null,
  id: string,
  reason: string,
): Promise<UserRow> {
  return transact('unsuspend', async (tx) => {
    const row = await unsuspendAccount(tx, id);
    if (row === null) throw (await findAccount(db, id)) === null ? userNotFound() : alreadySo();
    await audit.note(tx, { adminId, action: 'user.unsuspended', personId: id, note: reason });
    await outbox.post(tx, { to: row.email, ...unsuspendedEmail(row.language) });
    return row;
  });
}

async function whyNotSuspended(tx: Db, id: string): Promise<Refusal> {
  const row = await findAccount(tx, id);
  if (row === null) return userNotFound();
  if (row.staffRole !== null)
    return new Refusal(
      'admin.notAdmins',
      'You can’t suspend people on the team. Take their role away first.',
    );
  return alreadySo();
}
