import type { z } from 'zod';
import type { giveRole as call, ManagedUser } from '#contract/admin/endpoints.ts';
import type { App } from '../../../app-type.ts';
import type { Caller } from '../../../platform/http/caller.ts';
import { notFound } from '../../../platform/refusal.ts';
import { changeRole } from '../../identity/service.ts';
import { peopleOf } from './people.ts';
import { roleEmail } from './rules/emails.ts';
import { viewUser } from './view.ts';

/**
 * Gives a person a role on the team, or takes it away, and emails them. Refuses what `changeRole` refuses.
 */
export async function giveRole(
  app: App,
  { userId, staffRole }: Caller,
  { id, role }: z.output<typeof call.input>,
): Promise<ManagedUser> {
  const { transact, clock, outbox, realtime, responseCache } = app;
  const row = await transact('give role', async (tx, afterCommit) => {
    const by = { id: userId, role: staffRole };
    const changed = await changeRole(tx, { by, personId: id, to: role }, clock.now());
    await outbox.post(tx, { to: changed.email, ...roleEmail(changed.language, role) });
    afterCommit(() => {
      responseCache.forget(id);
      realtime.tell([id], 'changed', { topic: 'profile', id, news: null });
    });
    return changed;
  });
  const person = (await peopleOf(app, [id])).get(id);
  if (person === undefined) throw notFound('admin.userNotFound', 'We couldn’t find this person.');
  return viewUser(row, person);
}
