import type { Db } from '../../../platform/database/db.ts';
import { translate } from '../../../platform/messages/translate.ts';
import { Refusal } from '../../../platform/refusal.ts';
import { namedAccounts } from '../../identity/queries.ts';
import { answerEmail, ticketAt } from '../admin/rules/emails.ts';
import { sourcesOf } from './sources.ts';
import * as store from './store.ts';
import { noteTicketDeed, numberOf, refuseFull, ticketNotFound, type By } from './ticket-deeds.ts';

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
