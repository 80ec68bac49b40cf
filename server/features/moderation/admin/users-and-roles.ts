import type { z } from 'zod';
import type * as calls from '#contract/admin/endpoints.ts';
import type { OutputOf } from '#contract/define.ts';
import type { giveRole as call, ManagedUser } from '#contract/admin/endpoints.ts';
import type { App } from '../../../app-type.ts';
import type { Caller } from '../../../platform/http/caller.ts';
import { notFound } from '../../../platform/refusal.ts';
import type { LogPage } from '../../../platform/security/audit-log.ts';
import { accountPage } from '../../identity/queries.ts';
import { changeRole } from '../../identity/service.ts';
import { roleEmail } from './rules/emails.ts';
import { peopleOf, viewUser, viewAction, viewReading } from './view.ts';

/** People by name, email or phone. Logs that the admin read them. */
export async function listUsers(
  app: App,
  adminId: string,
  input: z.output<typeof calls.listUsers.input>,
): Promise<OutputOf<typeof calls.listUsers>> {
  const { longRead, audit } = app;
  const { rows, total } = await longRead((tx) => accountPage(tx, input));
  const ids = rows.map(({ id }) => id);
  await audit.noteReading(adminId, 'users', ids);
  const people = await peopleOf(app, ids);
  const users = rows.flatMap((row) => {
    const person = people.get(row.id);
    return person === undefined ? [] : [viewUser(row, person)];
  });
  return { users, total };
}

/**
 * Gives a person a role on the team, or takes it away, and emails them. Refuses what `changeRole` refuses.
 */
export async function giveRole(
  app: App,
  { userId, staffRole }: Caller,
  { id, role }: z.output<typeof call.input>,
): Promise<ManagedUser> {
  const { transact, clock, outbox, realtime } = app;
  const row = await transact('give role', async (tx, afterCommit) => {
    const by = { id: userId, role: staffRole };
    const changed = await changeRole(tx, { by, personId: id, to: role }, clock.now());
    await outbox.post(tx, { to: changed.email, ...roleEmail(changed.language, role) });
    afterCommit(() => realtime.tell([id], 'changed', { topic: 'profile', id, news: null }));
    return changed;
  });
  const person = (await peopleOf(app, [id])).get(id);
  if (person === undefined) throw notFound('admin.userNotFound', 'We couldn’t find this person.');
  return viewUser(row, person);
}

/** The log of admins' actions, the newest first, but no report about the viewer. */
export async function listActions(app: App, page: LogPage): Promise<OutputOf<typeof calls.listAudit>> {
  const { rows, total } = await app.audit.page(page);
  const people = await peopleOf(
    app,
    rows.flatMap(({ adminId, personId }) => [adminId, personId]),
  );
  return { entries: rows.map((row) => viewAction(row, people)), total };
}

/** The log of which admin read whose data, the newest first. */
export async function listReadings(app: App, page: LogPage): Promise<OutputOf<typeof calls.listReadings>> {
  const { rows, total } = await app.audit.readings(page);
  const people = await peopleOf(
    app,
    rows.flatMap(({ adminId, personIds }) => [adminId, ...personIds]),
  );
  return { entries: rows.map((row) => viewReading(row, people)), total };
}
