import type { Db } from '../../../platform/database/db.ts';
import { refuseField } from '../../../platform/refusal.ts';
import { closeSource, reopenSource } from './sources.ts';
import * as store from './store.ts';
import { alreadyDone, noteTicketDeed, ticketNotFound, type By } from './ticket-deeds.ts';

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
