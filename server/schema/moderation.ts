import {
  index,
  pgTable,
  text,
  uuid,
  bigserial,
  check,
  integer,
  uniqueIndex,
  type AnyPgColumn,
  bigint,
  date,
  primaryKey,
} from 'drizzle-orm/pg-core';
import { sql } from 'drizzle-orm';
import { ticketKinds, ticketLanguages, ticketStates } from '#contract/tickets/endpoints.ts';
import { instantColumn, deletedWith } from './columns.ts';
import { personReports } from './contacts.ts';
import { users } from './identity.ts';
import { rides } from './rides.ts';

/** Announcements of the operator to everyone or a community, for a time. */
export const announcements = pgTable(
  'announcements',
  {
    id: uuid('id').primaryKey(),
    titleEn: text('title_en').notNull(),
    titleZh: text('title_zh').notNull(),
    textEn: text('text_en').notNull(),
    textZh: text('text_zh').notNull(),
    fromAt: instantColumn('from_at').notNull(),
    /** Taking an announcement down sets its end to that moment. */
    untilAt: instantColumn('until_at').notNull(),
    /** Only people who confirmed an email address of this domain see it; empty for everyone. */
    community: text('community').notNull().default(''),
    /** Null for the command line, and after the account is deleted. */
    authorId: uuid('author_id').references(() => users.id, { onDelete: 'set null' }),
    createdAt: instantColumn('created_at').notNull(),
  },
  (t) => [
    index('announcements_until').on(t.untilAt),
    index('announcements_created').on(t.createdAt, t.id),
    index('announcements_author').on(t.authorId),
  ],
);

export const feedback = pgTable(
  'feedback',
  {
    id: uuid('id').primaryKey(),
    authorId: uuid('author_id').references(() => users.id, { onDelete: 'set null' }),
    subject: text('subject').notNull(),
    message: text('message').notNull(),
    createdAt: instantColumn('created_at').notNull(),
    /** When an admin first read it or answered it. */
    readAt: instantColumn('read_at'),
    answeredAt: instantColumn('answered_at'),
    answer: text('answer').notNull().default(''),
  },
  (t) => [
    index('feedback_created').on(t.createdAt, t.id),
    index('feedback_open')
      .on(t.createdAt)
      .where(sql`read_at is null`),
    index('feedback_author').on(t.authorId),
  ],
);

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

/** A ride with joined passengers that its driver canceled late, or did not come to; one row a ride. */
export const strikes = pgTable(
  'strikes',
  {
    rideId: deletedWith('ride_id', () => rides.id).primaryKey(),
    driverId: deletedWith('driver_id', () => users.id).notNull(),
    at: instantColumn('at').notNull(),
    /** The witness: the driver's own act, a passenger, or a conclusion of the scheduler. */
    by: text('by', { enum: ['driver', 'passenger', 'system'] })
      .notNull()
      .default('driver'),
  },
  (t) => [index('strikes_driver').on(t.driverId, t.at)],
);

/**
 * Figures of the installation by day of the region's zone, added up as time passes: statistics read these
 * sums and not what was counted.
 */
export const dailyFigures = pgTable(
  'daily_figures',
  {
    day: date('day').notNull(),
    name: text('name').notNull(),
    /** Of a figure that is a distribution: the part of it; else 0. */
    bucket: integer('bucket').notNull().default(0),
    value: bigint('value', { mode: 'number' }).notNull(),
  },
  (t) => [primaryKey({ columns: [t.day, t.name, t.bucket] }), index('daily_figures_name').on(t.name)],
);

/** Up to when the figures are added up: one row, which also keeps two processes from adding the same. */
export const figuresCounted = pgTable('figures_counted', {
  id: integer('id').primaryKey(),
  untilAt: instantColumn('until_at').notNull(),
  /** The zone of the days; figures of another one are counted again. */
  timeZone: text('time_zone').notNull(),
});
