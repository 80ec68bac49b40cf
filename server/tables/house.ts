import {
  bigint,
  bigserial,
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

/** One row per action that carried an `idempotencyKey`, written in the action's own transaction. */
export const idempotency = pgTable(
  'idempotency',
  {
    userId: uuid('user_id').notNull(),
    key: uuid('key').notNull(),
    path: text('path').notNull(),
    answer: jsonb('answer'),
    createdAt: instantColumn('created_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.userId, t.key] })],
);

/** Letters written while no mail server is configured. */
export const outboxLetters = pgTable('outbox_letters', {
  id: uuid('id').primaryKey(),
  recipient: text('recipient').notNull(),
  subject: text('subject').notNull(),
  body: text('body').notNull(),
  /** The same, drawn; null for a text message. */
  page: text('page'),
  at: instantColumn('at').notNull(),
});

/** What happened, in the past tense, in commit order; listeners are fed by a job per listener. */
export const signals = pgTable('signals', {
  id: bigserial('id', { mode: 'number' }).primaryKey(),
  name: text('name').notNull(),
  payload: jsonb('payload').notNull(),
  at: instantColumn('at').notNull(),
});

/** Letters, texts, pushes and signals that were tried often enough and never arrived; an admin looks at them. */
export const undelivered = pgTable(
  'undelivered',
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
  (t) => [index('undelivered_at').on(t.at)],
);

/** Attempts per limited thing (an address, an account) in the running window. */
export const attempts = pgTable('attempts', {
  key: text('key').primaryKey(),
  count: bigint('count', { mode: 'number' }).notNull(),
  windowEndsAt: instantColumn('window_ends_at').notNull(),
});
