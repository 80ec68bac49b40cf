import type { AdminAction } from '#contract/admin/endpoints.ts';
import type { Db } from '../../../platform/database/db.ts';
import type { SignalPayloads } from '../../../platform/events/signals.ts';
import type { Email } from '../../../platform/messages/email.ts';
import { movedOn, refuseField, notFound, Refusal } from '../../../platform/refusal.ts';
import { noteDeed } from '../../../platform/security/audit-log.ts';
import { staffWith } from '../../identity/queries.ts';
import { permissionToAnswer, type TeamViewer } from './policy.ts';
import * as store from './store.ts';
import type { TicketRow } from './store.ts';

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

/** The actor, and the ways of messages out of the transaction: the command line builds no app. */
export interface By {
  viewer: TeamViewer;
  now: Date;
  publicUrl: string;
  post: (tx: Db, email: Email) => Promise<void>;
  emit: (tx: Db, name: 'ticket.moved', payload: SignalPayloads['ticket.moved'], key: string) => Promise<void>;
}

export const ticketNotFound = () => notFound('ticket.notFound', 'We couldn’t find this ticket.');
/** Refuses a message where the ticket has no room for it. */
export function refuseFull(isWritten: boolean): void {
  if (!isWritten) throw new Refusal('ticket.full', 'This conversation is too long. Please start a new one.');
}
export const alreadyDone = () => movedOn('admin.movedOn', 'Another admin already did this.');

/** The name of a ticket, for the team and the author. */
export const numberOf = ({ number }: { number: number }): string => `#${number}`;

/** Notes in the admins' log what was done with a ticket. Who has reported is for those who read reports. */
export const noteTicketDeed = (
  tx: Db,
  { viewer, now }: Pick<By, 'viewer' | 'now'>,
  action: AdminAction,
  ticket: Pick<TicketRow, 'id' | 'number' | 'kind' | 'authorId'>,
): Promise<void> =>
  noteDeed(
    tx,
    {
      adminId: viewer.id,
      action,
      personId: ticket.kind === 'feedback' ? ticket.authorId : null,
      thingId: ticket.id,
      note: numberOf(ticket),
    },
    now,
  );
