import * as calls from '#contract/tickets/endpoints.ts';
import type { Serve } from '../../../app-type.ts';
import { answerTicket, noteTicket, closeTicket, reopenTicket } from './answer-ticket.ts';
import { assignTicket } from './ticket-deeds.ts';
import { listOwn, readOwn, replyToTeam } from './own-tickets.ts';
import { readerOf } from './policy.ts';
import { listAssignees, listTickets, readTicket, workOnTicket } from './team-tickets.ts';

export function serveTickets(serve: Serve): void {
  serve(calls.ownTickets, async (app, _input, caller) => ({ tickets: await listOwn(app, caller.userId) }));
  serve(calls.readOwnTicket, (app, input, caller) => readOwn(app, caller.userId, input.id));
  serve(calls.replyToTeam, (app, input, caller) => replyToTeam(app, caller.userId, input));
  serve(calls.listTickets, (app, input, caller) => listTickets(app, readerOf(caller), input));
  serve(calls.readTicket, (app, input, caller) => readTicket(app, readerOf(caller), input.id));
  serve(calls.ticketAssignees, async (app, input, caller) => ({
    people: await listAssignees(app, readerOf(caller), input.id),
  }));
  serve(calls.assignTicket, (app, input, caller) => workOnTicket(app, assignTicket, caller, input));
  serve(calls.answerTicket, (app, input, caller) => workOnTicket(app, answerTicket, caller, input));
  serve(calls.noteTicket, (app, input, caller) => workOnTicket(app, noteTicket, caller, input));
  serve(calls.closeTicket, (app, input, caller) => workOnTicket(app, closeTicket, caller, input));
  serve(calls.reopenTicket, (app, input, caller) => workOnTicket(app, reopenTicket, caller, input));
}
