import { isPermitted, type Permission, type StaffRole } from '#contract/admin/roles.ts';
import { ticketKinds, type TicketKind } from '#contract/tickets/endpoints.ts';
import type { Caller } from '../../../platform/http/caller.ts';

/** The member of the team who reads: they see no report about themselves. */
export interface TeamViewer {
  /** Null for the command line. */
  id: string | null;
  /** The kinds of tickets that they may do this with. */
  kinds: readonly TicketKind[];
}

const readsWith = { feedback: 'feedback.read', report: 'reports.read' } as const satisfies PermissionOf;
const answersWith = { feedback: 'feedback.answer', report: 'reports.handle' } as const satisfies PermissionOf;
type PermissionOf = Record<TicketKind, Permission>;

/** The permission that a person of the team needs to be given a ticket of this kind. */
export const permissionToAnswer = (kind: TicketKind): Permission => answersWith[kind];

const kindsOf = (role: StaffRole | null, permissions: PermissionOf): TicketKind[] =>
  ticketKinds.filter((kind) => isPermitted(role, permissions[kind]));

/** A role's tickets for reading. */
export const reader = (id: string, role: StaffRole | null): TeamViewer => ({
  id,
  kinds: kindsOf(role, readsWith),
});

/** A role's tickets for working on. */
export const worker = (id: string, role: StaffRole | null): TeamViewer => ({
  id,
  kinds: kindsOf(role, answersWith),
});

/** The same of a caller. */
export const readerOf = ({ userId, staffRole }: Caller) => ({ ...reader(userId, staffRole), id: userId });
