import type { AdminAction } from '#contract/admin/endpoints.ts';
import type { Db } from '../../../platform/database/db.ts';
import type { SignalPayloads } from '../../../platform/events/signals.ts';
import type { Email } from '../../../platform/messages/email.ts';
import { movedOn, notFound, Refusal } from '../../../platform/refusal.ts';
import { noteDeed } from '../../../platform/security/audit-log.ts';
import type { TeamViewer } from './policy.ts';
import type { TicketRow } from './store.ts';

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
