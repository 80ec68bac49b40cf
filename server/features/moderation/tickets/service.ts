import type { z } from 'zod';
import type * as calls from '#contract/tickets/endpoints.ts';
import type { Db } from '../../../platform/database/db.ts';
import type { Caller } from '../../../platform/http/caller.ts';
import { answerTicket, noteTicket } from './answer-ticket.ts';
import { assignTicket } from './assign-ticket.ts';
import { closeTicket, reopenTicket } from './close-ticket.ts';
import type { By, TicketContext } from './context.ts';
import { listOwn, readOwn, replyToTeam } from './own-tickets.ts';
import { reader, worker } from './policy.ts';
import { erasure } from './store.ts';
import { listAssignees, listTickets, readTicket } from './team-tickets.ts';

export { changeByCommand, listByCommand, showByCommand } from './by-command.ts';
export type { Deed, ToldThread, ToldTicket } from './by-command.ts';

export type TicketsService = ReturnType<typeof createTickets>;

const readerOf = ({ userId, staffRole }: Caller) => ({ ...reader(userId, staffRole), id: userId });

/** What people write to the team, and what it makes of it: threads, who has them, notes, how they end. */
export function createTickets(context: TicketContext) {
  const { transact, clock, env, outbox } = context.platform;
  const read = (caller: Caller, id: string): Promise<calls.Thread> =>
    readTicket(context, readerOf(caller), id);

  /** Does something with a ticket in one transaction, and shows what it is like afterwards. */
  const doing =
    <I extends { id: string }>(command: (tx: Db, by: By, input: I) => Promise<void>) =>
    async (caller: Caller, input: I): Promise<calls.Thread> => {
      const by: By = {
        viewer: worker(caller.userId, caller.staffRole),
        now: clock.now(),
        publicUrl: env.publicUrl,
        post: outbox.post,
        emit: (...signal) => outbox.emit(...signal),
      };
      await transact((tx) => command(tx, by, input));
      return read(caller, input.id);
    };

  return {
    erasure,
    ofAuthor: listOwn.bind(null, context),
    ownThread: readOwn.bind(null, context),
    reply: replyToTeam.bind(null, context),

    list: (caller: Caller, input: z.output<(typeof calls)['listTickets']['input']>) =>
      listTickets(context, readerOf(caller), input),
    read,
    assignees: (caller: Caller, id: string) => listAssignees(context, readerOf(caller), id),
    assign: doing(assignTicket),
    answer: doing(answerTicket),
    note: doing(noteTicket),
    close: doing(closeTicket),
    reopen: doing(reopenTicket),
  };
}
