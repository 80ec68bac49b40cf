import type { z } from 'zod';
import type * as calls from '#contract/admin/endpoints.ts';
import type { OutputOf } from '#contract/define.ts';
import type { App } from '../../../app-type.ts';
import { accountPage } from '../../identity/queries.ts';
import { peopleOf } from './people.ts';
import { viewUser } from './view.ts';

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
