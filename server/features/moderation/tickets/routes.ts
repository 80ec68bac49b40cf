import * as calls from '#contract/tickets/endpoints.ts';
import type { Serve } from '../../../platform/http/http-server.ts';
import type { TicketsService } from './service.ts';

export function serveTickets(serve: Serve, tickets: TicketsService): void {
  serve(calls.ownTickets, async (_input, caller) => ({ tickets: await tickets.ofAuthor(caller.userId) }));
  serve(calls.readOwnTicket, (input, caller) => tickets.ownThread(caller.userId, input.id));
  serve(calls.replyToTeam, (input, caller) => tickets.reply(caller.userId, input));
  serve(calls.listTickets, (input, caller) => tickets.list(caller, input));
  serve(calls.readTicket, (input, caller) => tickets.read(caller, input.id));
  serve(calls.ticketAssignees, async (input, caller) => ({
    people: await tickets.assignees(caller, input.id),
  }));
  serve(calls.assignTicket, (input, caller) => tickets.assign(caller, input));
  serve(calls.answerTicket, (input, caller) => tickets.answer(caller, input));
  serve(calls.noteTicket, (input, caller) => tickets.note(caller, input));
  serve(calls.closeTicket, (input, caller) => tickets.close(caller, input));
  serve(calls.reopenTicket, (input, caller) => tickets.reopen(caller, input));
}
