import { mostOwnTickets, type OwnThread, type OwnTicket } from '#contract/tickets/endpoints.ts';
import type { App } from '../../../app-type.ts';
import { peopleByIds } from '../../identity/service.ts';
import { reopenSource, sourcesOf } from './answer-ticket.ts';
import * as store from './store.ts';
import { refuseFull, ticketNotFound } from './ticket-deeds.ts';
import { viewOwnThread, viewOwnTicket } from './view.ts';

/** A person's own tickets, the latest change first. */
export async function listOwn(app: App, authorId: string): Promise<OwnTicket[]> {
  const { db } = app;
  const rows = await store.ticketsOf(db, authorId, mostOwnTickets);
  const seen = await seenWith(app, rows);
  return rows.map((row) => viewOwnTicket(row, seen));
}

/** One of a person's tickets, without the notes of the team. Refuses `ticket.notFound`. */
export async function readOwn(app: App, authorId: string, id: string): Promise<OwnThread> {
  const { db } = app;
  const row = await store.findOwn(db, authorId, id);
  if (row === null) throw ticketNotFound();
  const [seen, messages] = await Promise.all([seenWith(app, [row]), store.messagesOf(db, id)]);
  return viewOwnThread(row, messages, seen);
}

/** Writes to the team again, which opens a closed ticket. Refuses `ticket.notFound` and `ticket.full`. */
export async function replyToTeam(
  app: App,
  authorId: string,
  { id, text }: { id: string; text: string },
): Promise<OwnThread> {
  const { transact, clock, outbox } = app;
  await transact('reply to team', async (tx) => {
    const now = clock.now();
    const reopened = await store.moveOwn(tx, authorId, { id, from: ['closed'], to: 'open' }, now);
    const row =
      reopened ?? (await store.moveOwn(tx, authorId, { id, from: ['open', 'waiting'], to: 'open' }, now));
    if (row === null) throw ticketNotFound();
    if (reopened !== null) await reopenSource(tx, reopened);
    refuseFull(await store.addMessage(tx, { ticketId: id, kind: 'reply', authorId, text, at: now }));
    const { assigneeId } = row;
    await outbox.emit(tx, 'ticket.moved', { ticketId: id, authorId, assigneeId, move: 'replied' }, id);
  });
  return readOwn(app, authorId, id);
}

async function seenWith(app: App, rows: readonly store.TicketRow[]) {
  const sources = await sourcesOf(app.db, rows);
  const people = await peopleByIds(
    app,
    [...sources.reports.values()].map(({ subjectId }) => subjectId),
  );
  return { sources, people };
}
