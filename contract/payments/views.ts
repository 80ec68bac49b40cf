import { z } from 'zod';
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
 * What a payment needs to go on: that the passenger saves a card, confirms with the bank, or takes another card; or that the
 * driver's own account can be paid again.
 */
export const paymentNeeds = ['card', 'confirmation', 'anotherCard', 'driverAccount'] as const;
export type PaymentNeed = (typeof paymentNeeds)[number];

/** What the money was taken for. */
export const paymentKinds = ['fare', 'cancellation', 'noShow', 'partWay'] as const;
export type PaymentKind = (typeof paymentKinds)[number];

export const disputeStates = ['open', 'answered', 'resolved'] as const;

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
  /** Gross less fee and refunds. */
  netCents: cents,
  /** `coming`: owed and not yet taken. */
  state: z.enum(['coming', 'paid', 'refunded', 'disputed']),
  at: instant,
});
export type Earning = z.output<typeof earning>;

/** The figures that decide what is paid, held, kept and given back; the legal pages and the app say them from here. */
export const moneyTerms = z.object({
  provider: z.enum(['stripe', 'sandbox']),
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
