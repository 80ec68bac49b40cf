import type { z } from 'zod';
import {
  ticketKinds,
  type listTickets as listCall,
  type ReportedLine,
  type Ticket,
} from '#contract/tickets/endpoints.ts';
import type { Db } from '../../../platform/database/db.ts';
import { emitByCommand, postEmail } from '../../../platform/events/outbox.ts';
import { refuseField } from '../../../platform/refusal.ts';
import { reportedLinesOf } from '../../contacts/queries.ts';
import { namedAccounts, staffWith } from '../../identity/queries.ts';
import { answerTicket, noteTicket, closeTicket, reopenTicket, sourcesOf } from './answer-ticket.ts';
import { assignTicket, ticketNotFound, type By } from './ticket-deeds.ts';
import { permissionToAnswer, type TeamViewer } from './policy.ts';
import * as store from './store.ts';
import { ticketPage } from './team-tickets.ts';
import { firstWords } from './view.ts';

/** The operator at the command line may do everything. */
const viewer: TeamViewer = { id: null, kinds: ticketKinds };

/** A ticket as the command line tells it: people by their email addresses, null where there is none. */
export interface ToldTicket extends Pick<Ticket, 'id' | 'number' | 'kind' | 'state' | 'subject' | 'reason'> {
  author: string | null;
  about: string | null;
  assignee: string | null;
  openedAt: string;
  updatedAt: string;
}

export interface ToldThread extends ToldTicket {
  message: string;
  quote: string;
  lines: (Pick<ReportedLine, 'seq' | 'isReported' | 'kind' | 'text' | 'at'> & { sender: string | null })[];
  messages: { kind: 'answer' | 'reply' | 'note'; writer: string | null; text: string; at: string }[];
}

/** A page of tickets, and the cursor of the next one. */
export async function listByCommand(
  db: Db,
  input: z.output<typeof listCall.input>,
): Promise<{ tickets: ToldTicket[]; next: string | null }> {
  const { rows, next } = await ticketPage(db, viewer, input);
  return { tickets: await toldTickets(db, rows), next };
}

/** A ticket by its number, with all that was written. Refuses `ticket.notFound`. */
export async function showByCommand(db: Db, number: number): Promise<ToldThread> {
  const row = await ticketOfNumber(db, number);
  const [sources, messages, lines] = await Promise.all([
    sourcesOf(db, [row]),
    store.messagesOf(db, row.id),
    row.reportId === null ? [] : reportedLinesOf(db, row.reportId),
  ]);
  const [told] = await toldTickets(db, [row]);
  const emailOf = await emailsAmong(db, [
    ...messages.map(({ authorId }) => authorId),
    ...lines.map(({ senderId }) => senderId),
  ]);
  return {
    ...told!,
    message: firstWords(row, sources),
    quote: sources.reports.get(row.id)?.quote ?? '',
    lines: lines.map(({ seq, isReported, senderId, kind, text, at }) => ({
      seq,
      isReported,
      sender: emailOf(senderId),
      kind,
      text,
      at: at.toISOString(),
    })),
    messages: messages.map(({ kind, authorId, text, at }) => ({
      kind,
      writer: emailOf(authorId),
      text,
      at: at.toISOString(),
    })),
  };
}

/** The command line's acts on a ticket. */
export type Deed =
  | { verb: 'assign'; to: string | null }
  | { verb: 'answer' | 'note'; text: string }
  | { verb: 'close'; outcome: string }
  | { verb: 'reopen' };

/**
 * Does something with a ticket by its number, in one transaction, as the calls of the team do it. Refuses
 * what they refuse.
 */
export async function changeByCommand(
  db: Db,
  { number, now, publicUrl }: { number: number; now: Date; publicUrl: string },
  deed: Deed,
): Promise<ToldThread> {
  const by: By = {
    viewer,
    now,
    publicUrl,
    post: postEmail,
    emit: (tx, name, payload, key) => emitByCommand(tx, { name, payload, key }, now),
  };
  await db.transaction(async (tx) => {
    const ticket = await ticketOfNumber(tx, number);
    const { id } = ticket;
    if (deed.verb === 'assign')
      await assignTicket(tx, by, { id, from: ticket.assigneeId, to: await personFor(tx, ticket, deed.to) });
    else if (deed.verb === 'answer') await answerTicket(tx, by, { id, text: deed.text });
    else if (deed.verb === 'note') await noteTicket(tx, by, { id, text: deed.text });
    else if (deed.verb === 'close') await closeTicket(tx, by, { id, outcome: deed.outcome });
    else await reopenTicket(tx, by, { id });
  });
  return showByCommand(db, number);
}

async function ticketOfNumber(db: Db, number: number): Promise<store.TicketRow> {
  const row = await store.findByNumber(db, number);
  if (row === null) throw ticketNotFound();
  return row;
}

/** The person on the team with an email address; null for none. */
async function personFor(db: Db, ticket: store.TicketRow, email: string | null): Promise<string | null> {
  if (email === null) return null;
  const staff = await staffWith(db, permissionToAnswer(ticket.kind));
  const found = staff.find((each) => each.email === email.trim().toLowerCase());
  if (found === undefined) throw refuseField('ticket.notOnTeam', 'to', `${email} can’t take this ticket.`);
  return found.id;
}

async function toldTickets(db: Db, rows: readonly store.TicketRow[]): Promise<ToldTicket[]> {
  const { feedback, reports } = await sourcesOf(db, rows);
  const emailOf = await emailsAmong(db, [
    ...rows.flatMap(({ authorId, assigneeId }) => [authorId, assigneeId]),
    ...[...reports.values()].map(({ subjectId }) => subjectId),
  ]);
  return rows.map((row) => ({
    id: row.id,
    number: row.number,
    kind: row.kind,
    state: row.state,
    subject: feedback.get(row.id)?.subject ?? '',
    reason: reports.get(row.id)?.reason ?? null,
    author: emailOf(row.authorId),
    about: emailOf(reports.get(row.id)?.subjectId ?? null),
    assignee: emailOf(row.assigneeId),
    openedAt: row.openedAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  }));
}

async function emailsAmong(
  db: Db,
  ids: readonly (string | null)[],
): Promise<(id: string | null) => string | null> {
  const accounts = await namedAccounts(
    db,
    [...new Set(ids)].filter((id) => id !== null),
  );
  return (id) => (id === null ? null : (accounts.get(id)?.email ?? null));
}
