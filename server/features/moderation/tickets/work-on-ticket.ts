import type { Thread } from '#contract/tickets/endpoints.ts';
import type { App } from '../../../app-type.ts';
import type { Db } from '../../../platform/database/db.ts';
import type { Caller } from '../../../platform/http/caller.ts';
import { readerOf, worker } from './policy.ts';
import { readTicket } from './team-tickets.ts';
import type { By } from './ticket-deeds.ts';

/** Does something with a ticket in one transaction, and shows what it is like afterwards. */
export async function workOnTicket<I extends { id: string }>(
  app: App,
  command: (tx: Db, by: By, input: I) => Promise<void>,
  caller: Caller,
  input: I,
): Promise<Thread> {
  const { transact, clock, env, outbox } = app;
  const by: By = {
    viewer: worker(caller.userId, caller.staffRole),
    now: clock.now(),
    publicUrl: env.publicUrl,
    post: outbox.post,
    emit: (...signal) => outbox.emit(...signal),
  };
  await transact('work on ticket', (tx) => command(tx, by, input));
  return readTicket(app, readerOf(caller), input.id);
}
