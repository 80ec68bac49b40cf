import { and, asc, desc, eq, inArray, isNull, ne, not, sql, type SQL } from 'drizzle-orm';
import { mostTicketMessages, type TicketKind, type TicketState } from '#contract/tickets/endpoints.ts';
import { countUpTo } from '../../../platform/database/count-up-to.ts';
import type { Db } from '../../../platform/database/db.ts';
import { firstRow } from '../../../platform/database/one-row.ts';
import type { Erasure } from '../../../platform/erasure.ts';
import { ticketMessages, tickets } from '../../../schema/moderation.ts';
import { isReportAbout } from '../../contacts/queries.ts';
import type { TeamViewer } from './policy.ts';

export type TicketRow = typeof tickets.$inferSelect;
export type MessageRow = typeof ticketMessages.$inferSelect;

/** More than this are not counted. */
const mostCounted = 1000;

/** The tickets that a person of the team sees. */
const visibleTo = ({ id, kinds }: TeamViewer): SQL | undefined =>
  and(inArray(tickets.kind, [...kinds]), id === null ? undefined : not(isReportAbout(tickets.reportId, id)));

export interface Filter {
  state: TicketState | 'all';
  of: 'all' | 'mine' | 'unassigned';
  kind: TicketKind | 'all';
}

const isHadBy = ({ id }: TeamViewer): SQL => (id === null ? sql`false` : eq(tickets.assigneeId, id));

function whereOf(viewer: TeamViewer, { state, of, kind }: Filter): SQL | undefined {
  return and(
    visibleTo(viewer),
    state === 'all' ? undefined : eq(tickets.state, state),
    kind === 'all' ? undefined : eq(tickets.kind, kind),
    of === 'all' ? undefined : of === 'mine' ? isHadBy(viewer) : isNull(tickets.assigneeId),
  );
}

/** Tickets after a position in the list, the latest change first. */
export const ticketsAfter = (
  db: Db,
  viewer: TeamViewer,
  { after, size, ...filter }: Filter & { after: { at: Date; number: number } | null; size: number },
): Promise<TicketRow[]> =>
  db
    .select()
    .from(tickets)
    .where(
      and(
        whereOf(viewer, filter),
        after === null
          ? undefined
          : sql`(${tickets.updatedAt}, ${tickets.number}) < (${after.at.toISOString()}::timestamptz, ${after.number}::int)`,
      ),
    )
    .orderBy(desc(tickets.updatedAt), desc(tickets.number))
    .limit(size);

/** How many tickets of a kind are open, wait, are the viewer's, or no one's. */
export async function countTickets(db: Db, viewer: TeamViewer, kind: Filter['kind']) {
  const counted = (where: SQL | undefined) => countUpTo(db, tickets, { where, most: mostCounted });
  const all = { of: 'all', kind } as const;
  const notClosed = and(whereOf(viewer, { ...all, state: 'all' }), ne(tickets.state, 'closed'));
  const [open, waiting, mine, unassigned] = await Promise.all([
    counted(whereOf(viewer, { ...all, state: 'open' })),
    counted(whereOf(viewer, { ...all, state: 'waiting' })),
    counted(and(notClosed, isHadBy(viewer))),
    counted(and(notClosed, isNull(tickets.assigneeId))),
  ]);
  return { open, waiting, mine, unassigned };
}

/** A ticket that a person of the team sees. */
export const findTicket = (db: Db, viewer: TeamViewer, id: string): Promise<TicketRow | null> =>
  firstRow(
    db
      .select()
      .from(tickets)
      .where(and(eq(tickets.id, id), visibleTo(viewer))),
  );

/** A ticket by its number, for the command line. */
export const findByNumber = (db: Db, number: number): Promise<TicketRow | null> =>
  firstRow(db.select().from(tickets).where(eq(tickets.number, number)));

/** A person's own tickets, the latest change first. */
export const ticketsOf = (db: Db, authorId: string, most: number): Promise<TicketRow[]> =>
  db
    .select()
    .from(tickets)
    .where(eq(tickets.authorId, authorId))
    .orderBy(desc(tickets.updatedAt), desc(tickets.number))
    .limit(most);

export const findOwn = (db: Db, authorId: string, id: string): Promise<TicketRow | null> =>
  firstRow(
    db
      .select()
      .from(tickets)
      .where(and(eq(tickets.id, id), eq(tickets.authorId, authorId))),
  );

export const messagesOf = (db: Db, ticketId: string): Promise<MessageRow[]> =>
  db
    .select()
    .from(ticketMessages)
    .where(eq(ticketMessages.ticketId, ticketId))
    .orderBy(asc(ticketMessages.id))
    .limit(mostTicketMessages);

/** Locks the ticket until the transaction ends. False, with nothing written, if it has no room for more. */
export async function addMessage(tx: Db, row: typeof ticketMessages.$inferInsert): Promise<boolean> {
  await tx.select({ id: tickets.id }).from(tickets).where(eq(tickets.id, row.ticketId)).for('no key update');
  const there = await tx.$count(ticketMessages, eq(ticketMessages.ticketId, row.ticketId));
  if (there >= mostTicketMessages) return false;
  await tx.insert(ticketMessages).values(row);
  return true;
}

/** Gives a ticket to another person, or no one, if it is still with `from`; null otherwise. */
export const moveAssignee = (
  tx: Db,
  { id, from, to }: { id: string; from: string | null; to: string | null },
  now: Date,
): Promise<TicketRow | null> =>
  change(tx, { assigneeId: to, updatedAt: now }, [
    eq(tickets.id, id),
    sql`${tickets.assigneeId} is not distinct from ${from}::uuid`,
  ]);

interface StateMove {
  id: string;
  from: readonly TicketState[];
  to: TicketState;
}

const move = (tx: Db, whose: SQL | undefined, { id, from, to }: StateMove, now: Date) =>
  change(tx, { state: to, updatedAt: now }, [eq(tickets.id, id), whose, inArray(tickets.state, [...from])]);

/** Moves a ticket that the viewer sees to a state, from one of these; null where it is in none. */
export const moveTicket = (tx: Db, viewer: TeamViewer, to: StateMove, now: Date): Promise<TicketRow | null> =>
  move(tx, visibleTo(viewer), to, now);

/** The same for its author. */
export const moveOwn = (tx: Db, authorId: string, to: StateMove, now: Date): Promise<TicketRow | null> =>
  move(tx, eq(tickets.authorId, authorId), to, now);

const change = (
  tx: Db,
  values: Partial<TicketRow>,
  where: readonly (SQL | undefined)[],
): Promise<TicketRow | null> =>
  firstRow(
    tx
      .update(tickets)
      .set(values)
      .where(and(...where))
      .returning(),
  );

export const erasure = {
  // Their own went with what they are about.
  tickets: (tx, personId) =>
    tx.update(tickets).set({ assigneeId: null }).where(eq(tickets.assigneeId, personId)),
  ticket_messages: (tx, personId) =>
    tx.update(ticketMessages).set({ authorId: null }).where(eq(ticketMessages.authorId, personId)),
} satisfies Erasure;
