import { z } from 'zod';
import { notificationChannels } from '../notifications/endpoints.ts';
import { cents, instant, metres } from '../units.ts';
import { person } from '../user/endpoints.ts';

/** The states of a payment, as the specification and the card provider name them. */
export const paymentStates = [
  'succeeded',
  'processing',
  'requires_payment_method',
  'requires_confirmation',
  'requires_action',
  'requires_capture',
  'canceled',
] as const;
export type PaymentState = (typeof paymentStates)[number];

/**
 * What a payment needs to go on: that the passenger saves a card, confirms with the bank, or takes another
 * card; or that the driver's own account can be paid again.
 */
export const paymentNeeds = ['card', 'confirmation', 'anotherCard', 'driverAccount'] as const;
export type PaymentNeed = (typeof paymentNeeds)[number];

/** What the money was taken for. */
export const paymentKinds = ['fare', 'cancellation', 'noShow', 'partWay', 'contested'] as const;
export type PaymentKind = (typeof paymentKinds)[number];

export const disputeStates = ['open', 'answered', 'resolved'] as const;

/**
 * How a payment stands that its bank has taken back or asks about, in the card provider's words; `unknown`
 * are newer ones.
 */
export const chargebackStates = [
  'warning_needs_response',
  'warning_under_review',
  'warning_closed',
  'needs_response',
  'under_review',
  'won',
  'lost',
  'prevented',
  'unknown',
] as const;
export type ChargebackState = (typeof chargebackStates)[number];

/** What becomes of the driver's part of such a payment. */
export const chargebackTransfers = [
  'none',
  'toTakeBack',
  'takenBack',
  'toSendAgain',
  'sentAgain',
  'refused',
] as const;

/** What about money an admin must see to. */
export const paymentAlarmKinds = [
  'apiKey',
  'permission',
  'idempotency',
  'refundRefused',
  'transferRefused',
  'chargeback',
  'fraudWarning',
  'books',
] as const;
export type PaymentAlarmKind = (typeof paymentAlarmKinds)[number];

/** A passenger says that money should not have been taken; the driver answers, an admin decides. */
export const dispute = z.object({
  id: z.string(),
  bookingId: z.string(),
  state: z.enum(disputeStates),
  text: z.string(),
  /** The driver's side; empty until they have answered. */
  answer: z.string(),
  /** Why it was decided so; empty until then. */
  decision: z.string(),
  /** What the passenger gets back; null until it is decided. */
  refundCents: cents.nullable(),
  openedAt: instant,
  answeredAt: instant.nullable(),
  resolvedAt: instant.nullable(),
});
export type Dispute = z.output<typeof dispute>;

/** The card payment of one booking, as its passenger or its driver sees it. */
export const payment = z.object({
  state: z.enum(paymentStates),
  need: z.enum(paymentNeeds).nullable(),
  /**
   * When and how the passenger was last told of the need outside of the app, for the driver alone; null
   * before.
   */
  reminder: z.object({ at: instant, by: z.enum(notificationChannels) }).nullable(),
  /** The most that may be taken: what is, or will be, held on the card. */
  amountCents: cents,
  heldCents: cents,
  /** What was taken, before refunds. */
  takenCents: cents,
  refundedCents: cents,
  kind: z.enum(paymentKinds),
  /** When the hold is placed, while it is not yet. */
  holdAt: instant.nullable(),
  /** When what is owed will be taken, while it is not yet; null where nothing is owed. */
  takeAt: instant.nullable(),
  /** What will be taken then. */
  owedCents: cents,
  /** Where the passenger confirms with the bank; for the passenger alone. */
  actionUrl: z.string().nullable(),
  /** The bank's last word, such as `insufficient_funds`; for the passenger alone. */
  declineCode: z.string().nullable(),
  /** Until when the passenger may object to what was taken, or will be; null where they may not. */
  disputableUntil: instant.nullable(),
  dispute: dispute.nullable(),
});
export type BookingPayment = z.output<typeof payment>;

export const cardStates = ['ready', 'expiring', 'expired'] as const;

export const savedCard = z.object({
  id: z.string(),
  /** `visa`, `mastercard`, `amex` … */
  brand: z.string(),
  last4: z.string(),
  expiryMonth: z.number().int(),
  expiryYear: z.number().int(),
  /** `expiring`: its last month is this or the next one. */
  state: z.enum(cardStates),
  isDefault: z.boolean(),
});
export type SavedCard = z.output<typeof savedCard>;

export const accountStates = ['none', 'started', 'verified', 'restricted', 'rejected'] as const;
export type PaymentAccountState = (typeof accountStates)[number];

/** What a receipt and a line of earnings say of the ride. */
const paidRide = {
  bookingId: z.string(),
  orderNumber: z.string(),
  from: z.string(),
  to: z.string(),
  rideAt: instant,
  timeZone: z.string(),
  seats: z.number().int(),
  kind: z.enum(paymentKinds),
  /** Null once the account is gone. */
  other: person.nullable(),
};

/** A payment as its passenger keeps it. */
export const receipt = z.object({
  ...paidRide,
  requestId: z.string(),
  state: z.enum(paymentStates),
  /** `visa •••• 4242`; empty before a card was used. */
  card: z.string(),
  heldCents: cents,
  takenCents: cents,
  refundedCents: cents,
  /** When the money was taken; null while it is only held. */
  takenAt: instant.nullable(),
  /** Of a ride that ended on the way: what was ridden, and the way that was agreed. */
  ridden: z.object({ riddenMetres: metres, wayMetres: metres }).nullable(),
  at: instant,
});
export type Receipt = z.output<typeof receipt>;

/** What one booking brought its driver. */
export const earning = z.object({
  ...paidRide,
  rideId: z.string(),
  grossCents: cents,
  /** The service fee and the cost of the card. */
  feeCents: cents,
  refundedCents: cents,
  /** Gross less fee, refunds, and what a bank has taken back. */
  netCents: cents,
  /** `coming`: owed and not yet taken; `chargedBack`: the passenger’s bank has taken it back. */
  state: z.enum(['coming', 'paid', 'refunded', 'disputed', 'chargedBack']),
  at: instant,
});
export type Earning = z.output<typeof earning>;

/**
 * The figures that decide what is paid, held, kept and given back; the legal pages and the app say them from
 * here.
 */
export const moneyTerms = z.object({
  provider: z.enum(['stripe', 'sandbox']),
  /** False where no cards are taken, so that every ride is free: in production without Stripe's keys. */
  takesCards: z.boolean(),
  /** For Stripe's own form in the browser; empty with the sandbox. */
  publishableKey: z.string(),
  minimumOfferCents: cents,
  maxTransactionCents: cents,
  /** Hundredths of a percent of what is taken, kept as service fee. */
  serviceFeeBasisPoints: z.number().int(),
  cardFeeBasisPoints: z.number().int(),
  cardFeeCents: cents,
  /** The hold is placed so many days before departure. */
  holdDays: z.number().int(),
  cancellation: z.object({
    freeBeforeHours: z.number().int(),
    lateWithinHours: z.number().int(),
    /** Percent of the share between the two, and within the second or without coming. */
    midPercent: z.number().int(),
    latePercent: z.number().int(),
    /** Free so many minutes after joining, earlier than the second. */
    graceMinutes: z.number().int(),
  }),
  disputeHours: z.number().int(),
});
export type MoneyTerms = z.output<typeof moneyTerms>;

const chargedRide = {
  /** Null, and the people with it, for a payment that was not made here. */
  bookingId: z.string().nullable(),
  orderNumber: z.string(),
  passenger: person.nullable(),
  driver: person.nullable(),
};

/** A payment that its bank has taken back, or asks about. */
export const chargeback = z.object({
  id: z.string(),
  ...chargedRide,
  state: z.enum(chargebackStates),
  /** The bank's word for why, such as `fraudulent`. */
  reason: z.string(),
  amountCents: cents,
  /** What the provider keeps for it. */
  feeCents: z.number().int(),
  /** What the bank has of it now. */
  withdrawnCents: z.number().int(),
  evidenceDueAt: instant.nullable(),
  hasEvidence: z.boolean(),
  /**
   * What speaks for the payment, as it was when the bank objected; null for a payment that was not made here.
   */
  evidence: z
    .object({
      timeline: z.array(z.object({ at: instant, move: z.string(), state: z.string(), actor: z.string() })),
      /** When a person got in, and how that was proved: `pin`, `code`, or by whom it was said. */
      boarding: z.object({ at: instant, by: z.string() }).nullable(),
      chat: z
        .object({
          roomId: z.string(),
          messages: z.number().int(),
          firstAt: instant.nullable(),
          lastAt: instant.nullable(),
        })
        .nullable(),
    })
    .nullable(),
  openedAt: instant,
  closedAt: instant.nullable(),
  transfer: z.enum(chargebackTransfers),
  /** Why the provider refuses the transfer; null where it does not. */
  trouble: z.string().nullable(),
  /** When an admin let the passenger pay by card again. */
  clearedAt: instant.nullable(),
});
export type Chargeback = z.output<typeof chargeback>;

/** A bank's warning that a payment may not have been meant by the card's holder. */
export const fraudWarning = z.object({
  id: z.string(),
  ...chargedRide,
  /** The bank's word, such as `made_with_stolen_card`. */
  fraudType: z.string(),
  at: instant,
});
export type FraudWarning = z.output<typeof fraudWarning>;

/** What about money waits for an admin. */
export const paymentAlarm = z.object({
  id: z.string(),
  kind: z.enum(paymentAlarmKinds),
  about: z.string(),
  detail: z.string(),
  /** How often it was met. */
  times: z.number().int(),
  firstAt: instant,
  lastAt: instant,
  /** Whether what it is about can be tried again. */
  canRetry: z.boolean(),
});
export type PaymentAlarm = z.output<typeof paymentAlarm>;
