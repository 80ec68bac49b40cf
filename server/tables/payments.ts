import { sql } from 'drizzle-orm';
import {
  bigserial,
  boolean,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import { disputeStates, paymentKinds, paymentStates } from '#contract/payments/views.ts';
import { instantColumn } from './columns.ts';
import { users } from './identity.ts';
import { bookings } from './rides.ts';

const providerColumn = () => text('provider', { enum: ['stripe', 'sandbox'] }).notNull();

/** Who pays: a person as the card provider knows them. */
export const payers = pgTable(
  'payers',
  {
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    provider: providerColumn(),
    customerId: text('customer_id').notNull(),
    createdAt: instantColumn('created_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.userId, t.provider] })],
);

/** Saved cards, as last read from the provider: enough to show them and to know whether somebody can pay. */
export const cards = pgTable(
  'cards',
  {
    id: text('id').primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    provider: providerColumn(),
    /** The provider's order, the newest first. */
    position: integer('position').notNull(),
    brand: text('brand').notNull(),
    last4: text('last4').notNull(),
    expiryMonth: integer('expiry_month').notNull(),
    expiryYear: integer('expiry_year').notNull(),
    isDefault: boolean('is_default').notNull(),
  },
  (t) => [index('cards_user').on(t.userId)],
);

/** Who is paid: a driver's account at the card provider, as last read from it. */
export const paymentAccounts = pgTable(
  'payment_accounts',
  {
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    provider: providerColumn(),
    accountId: text('account_id').notNull().unique(),
    state: text('state', { enum: ['started', 'verified', 'restricted', 'rejected'] }).notNull(),
    missing: text('missing').array().notNull(),
    createdAt: instantColumn('created_at').notNull(),
    checkedAt: instantColumn('checked_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.userId, t.provider] })],
);

/**
 * A hold on a card for one booking: what is wanted of it (`goal`), and how it stands at the provider. Rooms above write
 * what is wanted, in their own transactions; what is done about it happens afterwards and is written here.
 */
export const cardHolds = pgTable(
  'card_holds',
  {
    id: uuid('id').primaryKey(),
    provider: providerColumn(),
    bookingId: uuid('booking_id')
      .notNull()
      .references(() => bookings.id, { onDelete: 'cascade' }),
    /** A booking's payment is its current hold; others were replaced and are only let go. */
    isCurrent: boolean('is_current').notNull().default(true),
    passengerId: uuid('passenger_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    driverId: uuid('driver_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    rideId: uuid('ride_id').notNull(),
    requestId: uuid('request_id').notNull(),
    // What the receipt says, as it was when the two agreed.
    orderNumber: text('order_number').notNull(),
    fromName: text('from_name').notNull(),
    toName: text('to_name').notNull(),
    rideAt: instantColumn('ride_at').notNull(),
    timeZone: text('time_zone').notNull(),
    seats: integer('seats').notNull(),
    kind: text('kind', { enum: paymentKinds }).notNull().default('fare'),

    /** Held until somebody says otherwise, taken (`takeCents`, from `takeAt` on), or let go. */
    goal: text('goal', { enum: ['hold', 'take', 'release'] }).notNull(),
    amountCents: integer('amount_cents').notNull(),
    takeCents: integer('take_cents').notNull().default(0),
    takeAt: instantColumn('take_at'),
    /** What the passenger is to get back of what was taken. */
    refundGoalCents: integer('refund_goal_cents').notNull().default(0),
    /** Since when it is known what is owed; disputes count from here. */
    settledAt: instantColumn('settled_at'),

    cardId: text('card_id'),
    cardLabel: text('card_label').notNull().default(''),
    /** True while the passenger is there to confirm with the bank. */
    isPresent: boolean('is_present').notNull(),
    /** The provider has been asked, whether or not its answer came back. */
    isAsked: boolean('is_asked').notNull().default(false),
    /** Grows with every new try to confirm: part of its key. */
    tries: integer('tries').notNull().default(0),

    paymentId: text('payment_id').unique(),
    state: text('state', { enum: paymentStates }).notNull(),
    heldCents: integer('held_cents').notNull().default(0),
    takenCents: integer('taken_cents').notNull().default(0),
    refundedCents: integer('refunded_cents').notNull().default(0),
    feeCents: integer('fee_cents').notNull().default(0),
    takenAt: instantColumn('taken_at'),
    holdEndsAt: instantColumn('hold_ends_at'),
    actionUrl: text('action_url'),
    declineCode: text('decline_code'),
    /** The word with which the provider refused for good; null where it did not. */
    trouble: text('trouble'),

    /** When it is to be worked on; null rests. */
    nextAt: instantColumn('next_at'),
    attempts: integer('attempts').notNull().default(0),
    /** Grows when something else is wanted; and when something else is known. */
    version: integer('version').notNull().default(1),
    factsVersion: integer('facts_version').notNull().default(1),
    createdAt: instantColumn('created_at').notNull(),
    updatedAt: instantColumn('updated_at').notNull(),
  },
  (t) => [
    uniqueIndex('card_holds_current')
      .on(t.bookingId)
      .where(sql`is_current`),
    index('card_holds_passenger').on(t.passengerId, t.createdAt),
    index('card_holds_driver').on(t.driverId, t.createdAt),
    index('card_holds_due')
      .on(t.nextAt)
      .where(sql`next_at is not null`),
    index('card_holds_updated').on(t.updatedAt),
    check('card_holds_amounts', sql`amount_cents > 0 and take_cents between 0 and amount_cents`),
    check('card_holds_facts', sql`held_cents >= 0 and taken_cents >= 0 and taken_cents <= amount_cents`),
    check('card_holds_refunds', sql`refunded_cents between 0 and taken_cents`),
    check('card_holds_refund_goal', sql`refund_goal_cents between 0 and amount_cents`),
  ],
);

/**
 * The ledger: whole cents, positive in, negative out; the lines of an entry sum to zero (a deferred trigger says so), and
 * no line is ever changed or taken away (another says so).
 */
export const ledgerLines = pgTable(
  'ledger_lines',
  {
    id: bigserial('id', { mode: 'number' }).primaryKey(),
    entryId: uuid('entry_id').notNull(),
    account: text('account').notNull(),
    cents: integer('cents').notNull(),
    holdId: uuid('hold_id').notNull(),
    what: text('what', { enum: ['held', 'let go', 'taken', 'refunded'] }).notNull(),
    at: instantColumn('at').notNull(),
  },
  (t) => [
    index('ledger_lines_entry').on(t.entryId),
    index('ledger_lines_hold').on(t.holdId),
    index('ledger_lines_at').on(t.at),
  ],
);

/** Events of the provider that have been dealt with. */
export const providerEvents = pgTable('provider_events', {
  id: text('id').primaryKey(),
  type: text('type').notNull(),
  at: instantColumn('at').notNull(),
  receivedAt: instantColumn('received_at').notNull(),
});

export const disputes = pgTable(
  'disputes',
  {
    id: uuid('id').primaryKey(),
    bookingId: uuid('booking_id')
      .notNull()
      .unique()
      .references(() => bookings.id, { onDelete: 'cascade' }),
    holdId: uuid('hold_id')
      .notNull()
      .references(() => cardHolds.id, { onDelete: 'cascade' }),
    passengerId: uuid('passenger_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    driverId: uuid('driver_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    state: text('state', { enum: disputeStates }).notNull(),
    text: text('text').notNull(),
    answer: text('answer').notNull().default(''),
    decision: text('decision').notNull().default(''),
    refundCents: integer('refund_cents'),
    openedAt: instantColumn('opened_at').notNull(),
    answeredAt: instantColumn('answered_at'),
    resolvedAt: instantColumn('resolved_at'),
    resolvedById: uuid('resolved_by_id').references(() => users.id, { onDelete: 'set null' }),
  },
  (t) => [index('disputes_passenger').on(t.passengerId), index('disputes_driver').on(t.driverId)],
);

export interface StoredDifference {
  bookingId: string;
  what: string;
  oursCents: number;
  theirsCents: number;
}

/** What each comparison with the provider found. */
export const reconciliations = pgTable(
  'reconciliations',
  {
    id: bigserial('id', { mode: 'number' }).primaryKey(),
    at: instantColumn('at').notNull(),
    checked: integer('checked').notNull(),
    differences: jsonb('differences').$type<StoredDifference[]>().notNull(),
  },
  (t) => [index('reconciliations_at').on(t.at)],
);
