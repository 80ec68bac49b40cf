import * as calls from '#contract/tickets/endpoints.ts';
import type { App } from '../../../app-type.ts';
import type { Serve } from '../../../platform/http/http-server.ts';
import { answerTicket, noteTicket } from './answer-ticket.ts';
import { assignTicket } from './assign-ticket.ts';
import { closeTicket, reopenTicket } from './close-ticket.ts';
import { listOwn, readOwn, replyToTeam } from './own-tickets.ts';
import { readerOf } from './policy.ts';
import { listAssignees, listTickets, readTicket } from './team-tickets.ts';
import { workOnTicket } from './work-on-ticket.ts';

export function serveTickets(serve: Serve, app: App): void {
  serve(calls.ownTickets, async (_input, caller) => ({ tickets: await listOwn(app, caller.userId) }));
  serve(calls.readOwnTicket, (input, caller) => readOwn(app, caller.userId, input.id));
  serve(calls.replyToTeam, (input, caller) => replyToTeam(app, caller.userId, input));
  serve(calls.listTickets, (input, caller) => listTickets(app, readerOf(caller), input));
  serve(calls.readTicket, (input, caller) => readTicket(app, readerOf(caller), input.id));
  serve(calls.ticketAssignees, async (input, caller) => ({
    people: await listAssignees(app, readerOf(caller), input.id),
  }));
  serve(calls.assignTicket, (input, caller) => workOnTicket(app, assignTicket, caller, input));
  serve(calls.answerTicket, (input, caller) => workOnTicket(app, answerTicket, caller, input));
  serve(calls.noteTicket, (input, caller) => workOnTicket(app, noteTicket, caller, input));
  serve(calls.closeTicket, (input, caller) => workOnTicket(app, closeTicket, caller, input));
  serve(calls.reopenTicket, (input, caller) => workOnTicket(app, reopenTicket, caller, input));
}
