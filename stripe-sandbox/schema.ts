import { sql } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import { bigserial, index, integer, jsonb, pgTable, primaryKey, text, timestamp } from 'drizzle-orm/pg-core';

/** The pool, or a transaction on it. */
export type Db = NodePgDatabase;

/** A UTC instant. */
const instantColumn = (name: string) => timestamp(name, { withTimezone: true, mode: 'date', precision: 3 });

/** What the sandbox card provider holds: each object as its API shows it. No real money, no real card. */
export const sandboxObjects = pgTable(
  'sandbox_objects',
  {
    id: text('id').primaryKey(),
    /** Lists go by it, the newest first. */
    seq: bigserial('seq', { mode: 'number' }).notNull(),
    kind: text('kind').notNull(),
    /** The connected account it belongs to; empty for the platform's own. */
    account: text('account').notNull(),
    body: jsonb('body').notNull(),
    /** What the provider knows and does not show, such as how a test card behaves. */
    hidden: jsonb('hidden').notNull(),
    /** When the clock has to act on it: a hold expires, a debit arrives. */
    dueAt: instantColumn('due_at'),
  },
  (t) => [
    index('sandbox_objects_list').on(t.kind, t.account, t.seq),
    index('sandbox_objects_customer').on(t.kind, sql`(body ->> 'customer')`),
    index('sandbox_objects_payment').on(t.kind, sql`(body ->> 'payment_intent')`),
    index('sandbox_objects_charge').on(t.kind, sql`(body ->> 'charge')`),
    index('sandbox_objects_due')
      .on(t.dueAt)
      .where(sql`due_at is not null`),
  ],
);

/** Answers to requests with an `Idempotency-Key`, written in the request's own transaction. */
export const sandboxKeys = pgTable(
  'sandbox_keys',
  {
    account: text('account').notNull(),
    key: text('key').notNull(),
    fingerprint: text('fingerprint').notNull(),
    status: integer('status').notNull(),
    answer: jsonb('answer').notNull(),
    createdAt: instantColumn('created_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.account, t.key] }), index('sandbox_keys_created').on(t.createdAt)],
);

/** Events on their way to the webhook. */
export const sandboxDeliveries = pgTable(
  'sandbox_deliveries',
  {
    eventId: text('event_id').primaryKey(),
    attempts: integer('attempts').notNull(),
    /** Null when it was delivered or given up. */
    nextAt: instantColumn('next_at'),
    deliveredAt: instantColumn('delivered_at'),
  },
  (t) => [
    index('sandbox_deliveries_next')
      .on(t.nextAt)
      .where(sql`next_at is not null`),
  ],
);
