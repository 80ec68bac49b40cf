import type { Db } from '../../../platform/database/db.ts';
import { translate } from '../../../platform/messages/translate.ts';
import { Refusal, refuseField } from '../../../platform/refusal.ts';
import { reportsByIds, type ReportRow } from '../../contacts/queries.ts';
import { closeReport, reopenReport } from '../../contacts/service.ts';
import { namedAccounts } from '../../identity/queries.ts';
import { answerEmail, ticketAt } from '../admin/rules/emails.ts';
import * as feedback from '../feedback/store.ts';
import * as store from './store.ts';
import type { TicketRow } from './store.ts';
import {
  noteTicketDeed,
  numberOf,
  refuseFull,
  ticketNotFound,
  type By,
  alreadyDone,
} from './ticket-deeds.ts';

/**
 * Answers a ticket's author, by notification and email; the ticket waits for them, a closed one too. Refuses
 * `ticket.notFound`, `ticket.full`, and `ticket.noAuthor` where there is no one to answer.
 */
export async function answerTicket(
  tx: Db,
  by: By,
  { id, text }: { id: string; text: string },
): Promise<void> {
  const { viewer, now } = by;
  const ticket = await store.findTicket(tx, viewer, id);
  if (ticket === null) throw ticketNotFound();
  const { authorId } = ticket;
  const author = authorId === null ? undefined : (await namedAccounts(tx, [authorId])).get(authorId);
  if (authorId === null || author === undefined)
    throw new Refusal(
      'ticket.noAuthor',
      'There is no one to answer: the app wrote this, or the account is gone.',
    );
  const before = await lastWordsOf(tx, ticket);
  const moved = await store.moveTicket(
    tx,
    viewer,
    { id, from: ['open', 'waiting', 'closed'], to: 'waiting' },
    now,
  );
  if (moved === null) throw ticketNotFound();
  refuseFull(
    await store.addMessage(tx, {
      ticketId: id,
      kind: 'answer',
      authorId: viewer.id,
      toId: authorId,
      text,
      at: now,
    }),
  );
  const subject =
    before.subject === ''
      ? translate(author.language)('answer.report', { number: numberOf(ticket) })
      : before.subject;
  const link = ticketAt(by.publicUrl, id);
  const content = answerEmail(author.language, { subject, message: before.message, answer: text, link });
  await by.post(tx, { to: author.email, ...content });
  await by.emit(
    tx,
    'ticket.moved',
    { ticketId: id, authorId, assigneeId: ticket.assigneeId, move: 'answered' },
    id,
  );
  await noteTicketDeed(tx, by, 'ticket.answered', ticket);
}

/** The author's last words, and the subject of their message; empty for a report. */
async function lastWordsOf(db: Db, ticket: store.TicketRow): Promise<{ subject: string; message: string }> {
  const [{ feedback, reports }, messages] = await Promise.all([
    sourcesOf(db, [ticket]),
    store.messagesOf(db, ticket.id),
  ]);
  const reply = messages.findLast(({ kind }) => kind === 'reply')?.text;
  const first = feedback.get(ticket.id)?.message ?? reports.get(ticket.id)?.words ?? '';
  return { subject: feedback.get(ticket.id)?.subject ?? '', message: reply ?? first };
}

/** Writes a note for the team alone. Refuses `ticket.notFound` and `ticket.full`. */
export async function noteTicket(
  tx: Db,
  { viewer, now }: Pick<By, 'viewer' | 'now'>,
  { id, text }: { id: string; text: string },
): Promise<void> {
  const ticket = await store.findTicket(tx, viewer, id);
  if (ticket === null) throw ticketNotFound();
  refuseFull(await store.addMessage(tx, { ticketId: id, kind: 'note', authorId: viewer.id, text, at: now }));
  await noteTicketDeed(tx, { viewer, now }, 'ticket.noted', ticket);
}

/**
 * Closes a ticket; what came of it becomes a note. Refuses `ticket.notFound`, `ticket.outcomeMissing` for a
 * report without it, and `admin.movedOn` where it is closed.
 */
export async function closeTicket(
  tx: Db,
  by: By,
  { id, outcome }: { id: string; outcome: string },
): Promise<void> {
  const { viewer, now } = by;
  const ticket = await store.findTicket(tx, viewer, id);
  if (ticket === null) throw ticketNotFound();
  if (ticket.kind === 'report' && outcome === '')
    throw refuseField('ticket.outcomeMissing', 'outcome', 'Please describe the outcome.');
  const moved = await store.moveTicket(tx, viewer, { id, from: ['open', 'waiting'], to: 'closed' }, now);
  if (moved === null) throw alreadyDone();
  if (outcome !== '')
    // A report keeps its outcome itself: one without room for a note can still be closed.
    await store.addMessage(tx, { ticketId: id, kind: 'note', authorId: viewer.id, text: outcome, at: now });
  await closeSource(tx, moved, { now, adminId: viewer.id, outcome });
  await tellMoved(tx, by, moved, 'closed');
  await noteTicketDeed(tx, by, 'ticket.closed', moved);
}

/** Opens a closed ticket again. Refuses `ticket.notFound`, and `admin.movedOn` where it is not closed. */
export async function reopenTicket(tx: Db, by: By, { id }: { id: string }): Promise<void> {
  const { viewer, now } = by;
  const moved = await store.moveTicket(tx, viewer, { id, from: ['closed'], to: 'open' }, now);
  if (moved === null)
    throw (await store.findTicket(tx, viewer, id)) === null ? ticketNotFound() : alreadyDone();
  await reopenSource(tx, moved);
  await tellMoved(tx, by, moved, 'reopened');
  await noteTicketDeed(tx, by, 'ticket.reopened', moved);
}

const tellMoved = (
  tx: Db,
  by: By,
  { id, authorId, assigneeId }: store.TicketRow,
  move: 'closed' | 'reopened',
): Promise<void> => by.emit(tx, 'ticket.moved', { ticketId: id, authorId, assigneeId, move }, id);

/** The messages and reports that tickets are about, by the tickets' ids. */
export interface Sources {
  feedback: ReadonlyMap<string, feedback.FeedbackRow>;
  reports: ReadonlyMap<string, ReportRow>;
}

export async function sourcesOf(db: Db, rows: readonly TicketRow[]): Promise<Sources> {
  const [messages, reports] = await Promise.all([
    feedback.feedbackByIds(
      db,
      rows.flatMap(({ feedbackId }) => feedbackId ?? []),
    ),
    reportsByIds(
      db,
      rows.flatMap(({ reportId }) => reportId ?? []),
    ),
  ]);
  return { feedback: messages, reports };
}

/**
 * Notes at what a ticket is about that it has been dealt with: the lists of messages and of reports read it
 * there.
 */
async function closeSource(
  tx: Db,
  row: TicketRow,
  { now, adminId, outcome }: { now: Date; adminId: string | null; outcome: string },
): Promise<void> {
  if (row.reportId === null) await feedback.markRead(tx, row.id, now);
  else await closeReport(tx, row.reportId, { handledAt: now, handledById: adminId, outcome });
}

export async function reopenSource(tx: Db, row: TicketRow): Promise<void> {
  if (row.reportId === null) await feedback.markUnread(tx, row.id);
  else await reopenReport(tx, row.reportId);
}
