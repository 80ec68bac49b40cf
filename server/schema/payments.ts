import { sql } from 'drizzle-orm';
import {
  bigint,
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
import {
  chargebackStates,
  chargebackTransfers,
  disputeStates,
  paymentAlarmKinds,
  paymentKinds,
  paymentStates,
} from '#contract/payments/views.ts';
import { deletedWith, instantColumn } from './columns.ts';
import { users } from './identity.ts';
import { bookings } from './rides.ts';

/** Evidence for a payment that its bank has taken back, as it was when the bank did. */
export interface StoredEvidence {
  /** Each move of the booking: when, by whom and into which state. */
  timeline: { at: string; move: string; state: string; actor: string }[];
  /** The proof of boarding; null where no one got in. */
  boarding: { at: string; by: string } | null;
  /** The ride's chat room, how many messages the two wrote there, and when the first and last. */
  chat: { roomId: string; messages: number; firstAt: string | null; lastAt: string | null } | null;
}

const providerColumn = () => text('provider', { enum: ['stripe', 'sandbox'] }).notNull();

/** Payers: people as the card provider knows them. */
export const payers = pgTable(
  'payers',
  {
    userId: deletedWith('user_id', () => users.id).notNull(),
    provider: providerColumn(),
    customerId: text('customer_id').notNull(),
    createdAt: instantColumn('created_at').notNull(),
    /**
     * Grows with every stored read of the cards: a read that began before another was stored is made again.
     */
    cardReads: integer('card_reads').notNull().default(0),
  },
  (t) => [primaryKey({ columns: [t.userId, t.provider] }), index('payers_customer').on(t.customerId)],
);

/**
 * Saved cards, as last read from the provider: enough to show them and to know whether a passenger can pay.
 */
export const cards = pgTable(
  'cards',
  {
    id: text('id').primaryKey(),
    userId: deletedWith('user_id', () => users.id).notNull(),
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

/** Payees: drivers' accounts at the card provider, as last read from it. */
export const paymentAccounts = pgTable(
  'payment_accounts',
  {
    userId: deletedWith('user_id', () => users.id).notNull(),
    provider: providerColumn(),
    accountId: text('account_id').notNull().unique(),
    state: text('state', { enum: ['started', 'verified', 'restricted', 'rejected'] }).notNull(),
    missing: text('missing').array().notNull(),
    createdAt: instantColumn('created_at').notNull(),
    checkedAt: instantColumn('checked_at').notNull(),
    /** Grows with every stored read: a read that began before another was stored is made again. */
    factsVersion: integer('facts_version').notNull().default(1),
  },
  (t) => [
    primaryKey({ columns: [t.userId, t.provider] }),
    index('payment_accounts_checked').on(t.provider, t.checkedAt),
    index('payment_accounts_unready')
      .on(t.provider, t.checkedAt)
      .where(sql`state in ('started', 'restricted')`),
  ],
);

/**
 * An authorization on a card for one booking: its `goal`, and its state at the provider. Features above write
 * the goal, in their own transactions; the provider's calls happen afterwards and are noted here. In the
 * database it is called a hold.
 */
export const authorizations = pgTable(
  'authorizations',
  {
    id: uuid('id').primaryKey(),
    provider: providerColumn(),
    bookingId: deletedWith('booking_id', () => bookings.id).notNull(),
    /** A booking's payment is its current authorization; others were replaced and are only canceled. */
    isCurrent: boolean('is_current').notNull().default(true),
    passengerId: deletedWith('passenger_id', () => users.id).notNull(),
    driverId: deletedWith('driver_id', () => users.id).notNull(),
    rideId: uuid('ride_id').notNull(),
    requestId: uuid('request_id').notNull(),
    // Texts of the receipt, as they were when the two agreed.
    orderNumber: text('order_number').notNull(),
    fromName: text('from_name').notNull(),
    toName: text('to_name').notNull(),
    rideAt: instantColumn('ride_at').notNull(),
    timeZone: text('time_zone').notNull(),
    seats: integer('seats').notNull(),
    kind: text('kind', { enum: paymentKinds }).notNull().default('fare'),

    /**
     * To authorize it, to `capture` it (`captureCents`, from `captureAt` on), or to `cancel` it.
     */
    goal: text('goal', { enum: ['authorize', 'capture', 'cancel'] }).notNull(),
    amountCents: integer('amount_cents').notNull(),
    captureCents: integer('capture_cents').notNull().default(0),
    captureAt: instantColumn('capture_at'),
    /** The amount to refund of what was captured. */
    refundGoalCents: integer('refund_goal_cents').notNull().default(0),
    /** Since when it is known what is owed; the time for a claim counts from here. */
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
    authorizedCents: integer('authorized_cents').notNull().default(0),
    capturedCents: integer('captured_cents').notNull().default(0),
    refundedCents: integer('refunded_cents').notNull().default(0),
    feeCents: integer('fee_cents').notNull().default(0),
    capturedAt: instantColumn('captured_at'),
    captureBefore: instantColumn('capture_before'),
    actionUrl: text('action_url'),
    declineCode: text('decline_code'),
    /** The word with which the provider refused for good; null where it did not. */
    trouble: text('trouble'),

    /** Its bank has taken the money back, or asks for it: nothing is refunded on top. */
    isChargedBack: boolean('is_charged_back').notNull().default(false),
    /** The driver's loss by that, as far as it was not received again. */
    chargedBackCents: integer('charged_back_cents').notNull().default(0),

    /** When it is due; null rests. */
    nextAt: instantColumn('next_at'),
    attempts: integer('attempts').notNull().default(0),
    /**
     * Until then one process works on it, as it was in this version; a lease of a process that died ends by
     * it.
     */
    leaseEndsAt: instantColumn('lease_ends_at'),
    leasedVersion: integer('leased_version'),
    /**
     * When the provider was first asked with the present key, and how many keys have been used up: it repeats
     * a refusal for a day when it is asked with the same one.
     */
    askedAt: instantColumn('asked_at'),
    keysUsed: integer('keys_used').notNull().default(0),
    /** The version of the facts when it was last compared with the provider, and when that was. */
    comparedVersion: integer('compared_version'),
    comparedAt: instantColumn('compared_at'),
    /** Grows when something else is wanted; and when something else is known. */
    version: integer('version').notNull().default(1),
    factsVersion: integer('facts_version').notNull().default(1),
    createdAt: instantColumn('created_at').notNull(),
    updatedAt: instantColumn('updated_at').notNull(),
  },
  (t) => [
    uniqueIndex('authorizations_current')
      .on(t.bookingId)
      .where(sql`is_current`),
    index('authorizations_passenger').on(t.passengerId, t.createdAt),
    index('authorizations_driver').on(t.driverId, t.createdAt),
    index('authorizations_earned')
      .on(t.driverId, t.settledAt, t.id)
      .where(sql`is_current and goal = 'capture'`),
    index('authorizations_due')
      .on(t.nextAt)
      .where(sql`next_at is not null`),
    index('authorizations_due_present')
      .on(t.nextAt)
      .where(sql`next_at is not null and is_present`),
    index('authorizations_refused')
      .on(t.driverId)
      .where(sql`is_current and goal <> 'cancel' and state = 'requires_payment_method'`),
    index('authorizations_updated').on(t.updatedAt),
    index('authorizations_open')
      .on(t.nextAt, t.id)
      .where(sql`state not in ('succeeded', 'canceled') or next_at is not null`),
    index('authorizations_to_compare')
      .on(t.id)
      .where(
        sql`payment_id is not null and (compared_version is distinct from facts_version or authorized_cents > 0)`,
      ),
    check('authorizations_amounts', sql`amount_cents > 0 and capture_cents between 0 and amount_cents`),
    check(
      'authorizations_facts',
      sql`authorized_cents >= 0 and captured_cents >= 0 and captured_cents <= amount_cents`,
    ),
    check('authorizations_refunds', sql`refunded_cents between 0 and captured_cents`),
    check('authorizations_refund_goal', sql`refund_goal_cents between 0 and amount_cents`),
  ],
);

/**
 * The ledger: whole cents, positive in, negative out; the lines of an entry sum to zero (a deferred trigger
 * says so), and no line is ever changed or taken away (another says so).
 */
export const ledgerLines = pgTable(
  'ledger_lines',
  {
    id: bigserial('id', { mode: 'number' }).primaryKey(),
    entryId: uuid('entry_id').notNull(),
    account: text('account').notNull(),
    cents: integer('cents').notNull(),
    /** Null in an entry about a line of the provider's balance. */
    authorizationId: uuid('authorization_id'),
    what: text('what', {
      enum: [
        'held',
        'let go',
        'taken',
        'refunded',
        'charged back',
        'sent again',
        'balance',
        'waived',
        'written off',
      ],
    }).notNull(),
    at: instantColumn('at').notNull(),
  },
  (t) => [
    index('ledger_lines_entry').on(t.entryId),
    index('ledger_lines_hold').on(t.authorizationId),
    index('ledger_lines_at').on(t.at),
  ],
);

/**
 * Sums of the ledger by account of a provider: what each entry adds to them, written with the entry, and what
 * many of these rows have been added up to.
 */
export const ledgerSums = pgTable(
  'ledger_sums',
  {
    id: bigserial('id', { mode: 'number' }).primaryKey(),
    provider: providerColumn(),
    account: text('account').notNull(),
    cents: bigint('cents', { mode: 'number' }).notNull(),
  },
  (t) => [index('ledger_sums_provider').on(t.provider, t.id)],
);

/** Sums that come to zero at rest and do not, for each provider. */
export const openSums = pgTable('open_sums', {
  provider: providerColumn().primaryKey(),
  /** By account: since when, how much of it all this time, and the amount that admins were notified of. */
  sums: jsonb('sums')
    .$type<Record<string, { since: string; cents: number; toldCents: number | null }>>()
    .notNull()
    .default({}),
});

/** Lines of the platform's balance at the provider, each with its entry in the ledger. */
export const providerTransactions = pgTable(
  'provider_transactions',
  {
    id: text('id').primaryKey(),
    provider: providerColumn(),
    type: text('type').notNull(),
    category: text('category').notNull(),
    amountCents: integer('amount_cents').notNull(),
    feeCents: integer('fee_cents').notNull(),
    netCents: integer('net_cents').notNull(),
    /** The charge, transfer, payout or chargeback behind it. */
    sourceId: text('source_id'),
    at: instantColumn('at').notNull(),
    entryId: uuid('entry_id').notNull(),
  },
  (t) => [
    index('provider_transactions_source').on(t.sourceId),
    index('provider_transactions_provider').on(t.provider, t.at),
  ],
);

/** How far each list of the provider has been read, and which process reads it now. */
export const providerCursors = pgTable(
  'provider_cursors',
  {
    provider: providerColumn(),
    feed: text('feed', { enum: ['events', 'balance', 'comparison'] }).notNull(),
    /** The newest element that everything before was read of; null begins. */
    lastId: text('last_id'),
    leaseEndsAt: instantColumn('lease_ends_at'),
  },
  (t) => [primaryKey({ columns: [t.provider, t.feed] })],
);

/**
 * Events of the provider: written down as they are heard of, dealt with the oldest first, and tried again
 * where that fails.
 */
export const providerEvents = pgTable(
  'provider_events',
  {
    id: text('id').primaryKey(),
    type: text('type').notNull(),
    at: instantColumn('at').notNull(),
    receivedAt: instantColumn('received_at').notNull(),
    /** The connected account it is about; null for the platform. */
    accountId: text('account_id'),
    /** The thing it is about, by kind and id. */
    kind: text('kind').notNull().default(''),
    thingId: text('thing_id'),
    metadata: jsonb('metadata').$type<Record<string, string>>().notNull().default({}),
    /** When it is due; null once it is processed. */
    nextAt: instantColumn('next_at'),
    attempts: integer('attempts').notNull().default(0),
    error: text('error').notNull().default(''),
  },
  (t) => [
    index('provider_events_due')
      .on(t.nextAt, t.at)
      .where(sql`next_at is not null`),
    index('provider_events_processed')
      .on(t.receivedAt)
      .where(sql`next_at is null`),
  ],
);

/**
 * Payments that a bank has taken back or asks about; the payer and the payee are columns of the
 * authorization.
 */
export const chargebacks = pgTable(
  'chargebacks',
  {
    /** The provider's own name for it. */
    id: text('id').primaryKey(),
    provider: providerColumn(),
    /**
     * Null for a payment of this account at the provider that was not made here, and until one that was is
     * known.
     */
    authorizationId: uuid('authorization_id').references(() => authorizations.id, { onDelete: 'set null' }),
    paymentId: text('payment_id'),
    state: text('state', { enum: chargebackStates }).notNull(),
    reason: text('reason').notNull(),
    amountCents: integer('amount_cents').notNull(),
    feeCents: integer('fee_cents').notNull(),
    withdrawnCents: integer('withdrawn_cents').notNull(),
    evidenceDueAt: instantColumn('evidence_due_at'),
    hasEvidence: boolean('has_evidence').notNull(),
    evidence: jsonb('evidence').$type<StoredEvidence>(),
    openedAt: instantColumn('opened_at').notNull(),
    closedAt: instantColumn('closed_at'),
    /** Grows with every stored read: a read that began before another was stored is made again. */
    factsVersion: integer('facts_version').notNull().default(1),
    /**
     * The state of the driver's transfer: reversed when the bank takes the money, repeated when the
     * chargeback is won.
     */
    transfer: text('transfer', { enum: chargebackTransfers }).notNull().default('none'),
    /** The reversed part of the transfer, and of the platform's fee that went back to the driver with it. */
    reversedCents: integer('reversed_cents').notNull().default(0),
    feeBackCents: integer('fee_back_cents').notNull().default(0),
    nextAt: instantColumn('next_at'),
    attempts: integer('attempts').notNull().default(0),
    /**
     * The word with which the provider refuses the transfer, and how often it has refused: each ask after one
     * has a new key.
     */
    trouble: text('trouble'),
    keysUsed: integer('keys_used').notNull().default(0),
    /** When an admin let the passenger pay by card again. */
    clearedAt: instantColumn('cleared_at'),
    clearedById: uuid('cleared_by_id').references(() => users.id, { onDelete: 'set null' }),
  },
  (t) => [
    index('chargebacks_hold').on(t.authorizationId),
    index('chargebacks_due')
      .on(t.nextAt)
      .where(sql`next_at is not null`),
    index('chargebacks_opened').on(t.openedAt),
    index('chargebacks_without_payment')
      .on(t.paymentId)
      .where(sql`authorization_id is null and payment_id is not null`),
    index('chargebacks_in_order').on(
      sql`(state in ('needs_response', 'warning_needs_response'))`,
      t.openedAt,
      t.id,
    ),
  ],
);

/** Warnings of banks: the card's holder may not have meant the payment. */
export const fraudWarnings = pgTable(
  'fraud_warnings',
  {
    id: text('id').primaryKey(),
    provider: providerColumn(),
    authorizationId: uuid('authorization_id').references(() => authorizations.id, { onDelete: 'set null' }),
    paymentId: text('payment_id'),
    fraudType: text('fraud_type').notNull(),
    /** False once the payment was given back whole or taken back by its bank. */
    isActionable: boolean('is_actionable').notNull(),
    at: instantColumn('at').notNull(),
    /** Grows with every stored read: a read that began before another was stored is made again. */
    factsVersion: integer('facts_version').notNull().default(1),
    clearedAt: instantColumn('cleared_at'),
    clearedById: uuid('cleared_by_id').references(() => users.id, { onDelete: 'set null' }),
  },
  (t) => [
    index('fraud_warnings_hold').on(t.authorizationId),
    index('fraud_warnings_at').on(t.at),
    index('fraud_warnings_without_payment')
      .on(t.paymentId)
      .where(sql`authorization_id is null and payment_id is not null`),
  ],
);

/** Trouble with money that an admin must handle; one open row a thing. */
export const paymentAlarms = pgTable(
  'payment_alarms',
  {
    id: uuid('id').primaryKey(),
    kind: text('kind', { enum: paymentAlarmKinds }).notNull(),
    /** The authorization, chargeback or warning it is about; empty for the installation. */
    about: text('about').notNull(),
    detail: text('detail').notNull(),
    times: integer('times').notNull().default(1),
    firstAt: instantColumn('first_at').notNull(),
    lastAt: instantColumn('last_at').notNull(),
    endedAt: instantColumn('ended_at'),
    endedById: uuid('ended_by_id').references(() => users.id, { onDelete: 'set null' }),
  },
  (t) => [
    uniqueIndex('payment_alarms_open')
      .on(t.kind, t.about)
      .where(sql`ended_at is null`),
    index('payment_alarms_last').on(t.lastAt),
  ],
);

/**
 * A passenger's objection to what was captured or will be. In the database and in calls it is called a
 * dispute.
 */
export const claims = pgTable(
  'claims',
  {
    id: uuid('id').primaryKey(),
    bookingId: deletedWith('booking_id', () => bookings.id).notNull(),
    authorizationId: deletedWith('authorization_id', () => authorizations.id).notNull(),
    passengerId: deletedWith('passenger_id', () => users.id).notNull(),
    driverId: deletedWith('driver_id', () => users.id).notNull(),
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
  (t) => [
    index('claims_passenger').on(t.passengerId),
    index('claims_driver').on(t.driverId),
    index('claims_booking').on(t.bookingId),
    // One at a time for each booking.
    uniqueIndex('claims_open_booking')
      .on(t.bookingId)
      .where(sql`state in ('open', 'answered')`),
    index('claims_in_order').on(sql`(state = 'resolved')`, t.openedAt),
    index('claims_state').on(t.state, t.openedAt),
  ],
);

export interface StoredDifference {
  bookingId: string;
  what: string;
  oursCents: number;
  theirsCents: number;
}

/** The results of comparisons with the provider. */
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
