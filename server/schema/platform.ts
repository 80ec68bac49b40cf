import { sql } from 'drizzle-orm';
import {
  bigint,
  bigserial,
  customType,
  date,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uuid,
} from 'drizzle-orm/pg-core';
import { instantColumn } from './columns.ts';

/** Single values of the installation, such as the demo's clock offset. */
export const settings = pgTable('settings', {
  name: text('name').primaryKey(),
  value: jsonb('value').notNull(),
});

const bytes = customType<{ data: Buffer }>({ dataType: () => 'bytea' });

/** One row per action that carried an `idempotencyKey`: claimed before it begins, done with its answer. */
export const idempotency = pgTable(
  'idempotency',
  {
    userId: uuid('user_id').notNull(),
    key: uuid('key').notNull(),
    path: text('path').notNull(),
    /** Of the body the key came with. */
    fingerprint: text('fingerprint').notNull(),
    state: text('state', { enum: ['started', 'done'] }).notNull(),
    /**
     * The try that works on it. It says again and again that it lives: after `leaseUntil`, by the database's
     * clock, another may.
     */
    owner: uuid('owner').notNull(),
    leaseUntil: instantColumn('lease_until').notNull(),
    /** Which transaction of the action was committed first, and what it returned: it never happens again. */
    step: text('step'),
    stepResult: bytes('step_result'),
    answer: jsonb('answer'),
    createdAt: instantColumn('created_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.userId, t.key] }), index('idempotency_created').on(t.createdAt)],
);

/** Emails written while no mail server is configured. */
export const outboxMessages = pgTable('outbox_messages', {
  id: uuid('id').primaryKey(),
  recipient: text('recipient').notNull(),
  subject: text('subject').notNull(),
  body: text('body').notNull(),
  /** The same, drawn; null for a text message. */
  page: text('page'),
  at: instantColumn('at').notNull(),
});

/**
 * When a process of a role was last at work, by the machine's clock: a row for each role that people or the
 * clock depend on (`observability/uptime.ts`).
 */
export const serverHeartbeat = pgTable('server_heartbeat', {
  id: integer('id').primaryKey(),
  wallAt: instantColumn('wall_at').notNull(),
});

/** When no process was at work: nothing that did not happen then proves anything. */
export const outages = pgTable(
  'outages',
  {
    id: bigserial('id', { mode: 'number' }).primaryKey(),
    fromAt: instantColumn('from_at').notNull(),
    untilAt: instantColumn('until_at').notNull(),
  },
  (t) => [index('outages_until').on(t.untilAt)],
);

/**
 * Events, named in the past tense: one row for a transaction, with all of its signals. Partitioned by day
 * (`platform/events/log-partitions.ts`), read in the order of `seq` (`platform/events/event-log.ts`).
 */
export const eventLog = pgTable(
  'event_log',
  {
    /** The process that reads the log gives it after the commit; null until then. */
    seq: bigint('seq', { mode: 'number' }),
    /** Leaves room for the ids of a row's signals. */
    id: bigint('id', { mode: 'number' })
      .notNull()
      .default(sql`nextval('event_log_id_seq')`),
    writtenOn: date('written_on')
      .notNull()
      .default(sql`current_date`),
    items: jsonb('items').notNull(),
  },
  (t) => [index('event_log_in_order').on(t.seq, t.id)],
);

/** The number up to which each consumer of the log has heard everything. */
export const eventCursors = pgTable('event_cursors', {
  consumer: text('consumer').primaryKey(),
  seq: bigint('seq', { mode: 'number' }).notNull(),
});

/**
 * Emails, texts, pushes and signals that were tried often enough and never arrived; an admin handles them.
 */
export const undelivered = pgTable(
  'failed_deliveries',
  {
    id: uuid('id').primaryKey(),
    task: text('task', { enum: ['letter', 'text', 'push', 'deliver'] }).notNull(),
    recipient: text('recipient').notNull(),
    what: text('what').notNull(),
    payload: jsonb('payload').notNull(),
    error: text('error').notNull(),
    attempts: integer('attempts').notNull(),
    at: instantColumn('at').notNull(),
  },
  (t) => [index('failed_deliveries_at').on(t.at)],
);

/** Attempts per limited thing (an address, an account) in the running window. */
export const attempts = pgTable(
  'tries',
  {
    key: text('key').primaryKey(),
    count: bigint('count', { mode: 'number' }).notNull(),
    windowEndsAt: instantColumn('window_ends_at').notNull(),
  },
  (t) => [index('tries_window').on(t.windowEndsAt)],
);
