import type { Db } from '../../../platform/database/db.ts';
import { movedOn, refuseField } from '../../../platform/refusal.ts';
import { staffWith } from '../../identity/queries.ts';
import { permissionToAnswer } from './policy.ts';
import * as store from './store.ts';
import { noteTicketDeed, ticketNotFound, type By } from './ticket-deeds.ts';

/**
 * Takes a ticket, gives it to another person on the team, or releases it. Refuses `ticket.notFound`,
 * `ticket.notOnTeam` for a person who may not answer it, and `ticket.assigned` where it has gone to another
 * one than `from` since.
 */
export async function assignTicket(
  tx: Db,
  { viewer, now }: Pick<By, 'viewer' | 'now'>,
  { id, from, to }: { id: string; from: string | null; to: string | null },
): Promise<void> {
  const ticket = await store.findTicket(tx, viewer, id);
  if (ticket === null) throw ticketNotFound();
  if (to !== null && !(await assigneesOf(tx, ticket)).includes(to))
    throw refuseField('ticket.notOnTeam', 'to', 'This person can’t take this ticket.');
  const moved = await store.moveAssignee(tx, { id, from, to }, now);
  if (moved === null)
    throw movedOn('ticket.assigned', 'Another person on the team has just taken or passed on this ticket.');
  await noteTicketDeed(tx, { viewer, now }, to === null ? 'ticket.released' : 'ticket.assigned', ticket);
}

/** The people on the team who may take a ticket: not one that is a report about themselves. */
export async function assigneesOf(db: Db, ticket: store.TicketRow): Promise<string[]> {
  const permission = permissionToAnswer(ticket.kind);
  const able: string[] = [];
  for (const { id } of await staffWith(db, permission))
    if ((await store.findTicket(db, { id, kinds: [ticket.kind] }, ticket.id)) !== null) able.push(id);
  return able;
}
