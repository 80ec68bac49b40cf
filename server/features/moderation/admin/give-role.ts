import type { z } from 'zod';
import type { giveRole as call, ManagedUser } from '#contract/admin/endpoints.ts';
import type { Caller } from '../../../platform/http/caller.ts';
import { notFound } from '../../../platform/refusal.ts';
import { peopleOf, type AdminContext } from './context.ts';
import { roleEmail } from './rules/emails.ts';
import { viewUser } from './view.ts';
import { changeRole } from '../../identity/service.ts';

/**
 * Gives a person a role on the team, or takes it away, and emails them. Refuses what `changeRole` refuses.
 */
export async function giveRole(
  context: AdminContext,
  { userId, staffRole }: Caller,
  { id, role }: z.output<typeof call.input>,
): Promise<ManagedUser> {
  const { platform } = context;
  const { transact, clock, outbox, realtime, responseCache } = platform;
  const row = await transact(async (tx, afterCommit) => {
    const by = { id: userId, role: staffRole };
    const changed = await changeRole(tx, { by, personId: id, to: role }, clock.now());
    await outbox.post(tx, { to: changed.email, ...roleEmail(changed.language, role) });
    afterCommit(() => {
      responseCache.forget(id);
      realtime.tell([id], 'changed', { topic: 'profile', id, news: null });
    });
    return changed;
  });
  const person = (await peopleOf(context, [id])).get(id);
  if (person === undefined) throw notFound('admin.userNotFound', 'We couldn’t find this person.');
  return viewUser(row, person);
}
