import { sql } from 'drizzle-orm';
import {
  bigserial,
  check,
  index,
  integer,
  pgTable,
  text,
  uniqueIndex,
  uuid,
  type AnyPgColumn,
} from 'drizzle-orm/pg-core';
import { ticketKinds, ticketLanguages, ticketStates } from '#contract/tickets/endpoints.ts';
import { deletedWith, instantColumn } from './columns.ts';
import { personReports } from './contacts.ts';
import { feedback } from './feedback.ts';
import { users } from './identity.ts';

const aPerson = (name: string) =>
  uuid(name).references((): AnyPgColumn => users.id, { onDelete: 'set null' });

/**
 * The team's work: each message to the operator and each report, under the same id. Triggers write a ticket
 * with each of them, so that none is without one, whatever code writes it.
 */
export const tickets = pgTable(
  'tickets',
  {
    id: uuid('id').primaryKey(),
    number: integer('number').notNull().generatedAlwaysAsIdentity(),
    kind: text('kind', { enum: ticketKinds }).notNull(),
    feedbackId: deletedWith('feedback_id', () => feedback.id),
    reportId: deletedWith('report_id', () => personReports.id),
    /** Null where the app itself reports. */
    authorId: aPerson('author_id'),
    /** `waiting`: for the author, who has the team's answer. */
    state: text('state', { enum: ticketStates }).notNull().default('open'),
    assigneeId: aPerson('assignee_id'),
    openedAt: instantColumn('opened_at').notNull(),
    updatedAt: instantColumn('updated_at').notNull(),
  },
  (t) => [
    uniqueIndex('tickets_number').on(t.number),
    uniqueIndex('tickets_feedback').on(t.feedbackId),
    uniqueIndex('tickets_report').on(t.reportId),
    index('tickets_state').on(t.state, t.updatedAt, t.number),
    index('tickets_updated').on(t.updatedAt, t.number),
    index('tickets_author').on(t.authorId, t.updatedAt),
    index('tickets_assignee').on(t.assigneeId, t.updatedAt),
    check('tickets_source', sql`(feedback_id is null) <> (report_id is null)`),
  ],
);

/** The messages of a ticket after its first words. */
export const ticketMessages = pgTable(
  'ticket_messages',
  {
    id: bigserial('id', { mode: 'number' }).primaryKey(),
    ticketId: deletedWith('ticket_id', () => tickets.id).notNull(),
    /** `answer`: by the team to the author; `reply`: by the author; `note`: for the team alone. */
    kind: text('kind', { enum: ['answer', 'reply', 'note'] }).notNull(),
    /** Null for the command line, and once the account is gone. */
    authorId: aPerson('author_id'),
    /** The person it answers: their export finds it by this. */
    toId: aPerson('to_id'),
    text: text('text').notNull(),
    at: instantColumn('at').notNull(),
  },
  (t) => [
    index('ticket_messages_ticket').on(t.ticketId, t.id),
    index('ticket_messages_author').on(t.authorId),
    index('ticket_messages_to').on(t.toId),
  ],
);

/** Answers that the team keeps, to begin one with. */
export const cannedAnswers = pgTable(
  'canned_answers',
  {
    id: uuid('id').primaryKey(),
    title: text('title').notNull(),
    text: text('text').notNull(),
    language: text('language', { enum: ticketLanguages }).notNull(),
    /** The last writer; null once the account is gone. */
    writerId: aPerson('writer_id'),
    updatedAt: instantColumn('updated_at').notNull(),
  },
  (t) => [index('canned_answers_writer').on(t.writerId)],
);
