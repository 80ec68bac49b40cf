import { z } from 'zod';
import { notificationChannels } from '../notifications/endpoints.ts';
import { cents, instant, metres, mostOfOne } from '../units.ts';
import { person } from '../user/endpoints.ts';

/** The states of a payment, as named by the specification and the card provider. */
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
 * The need of a payment that cannot continue: the passenger saves a card, confirms with the bank, or uses
 * another card; or the driver's own account can be paid again.
 */
export const paymentNeeds = ['card', 'confirmation', 'anotherCard', 'driverAccount'] as const;
export type PaymentNeed = (typeof paymentNeeds)[number];

/**
 * The next step of a card hold: the server places it on the card, renews it once the provider has ended it,
 * captures, releases or refunds it, or reads its outcome; or it waits for the passenger, for the driver's
 * account, or for an admin.
 */
export const holdSteps = [
  'place',
  'renew',
  'capture',
  'release',
  'refund',
  'read',
  'passenger',
  'driver',
  'admin',
] as const;
export type HoldStep = (typeof holdSteps)[number];

/** The reason of a capture. */
export const paymentKinds = ['fare', 'cancellation', 'noShow', 'partWay', 'contested'] as const;
export type PaymentKind = (typeof paymentKinds)[number];

export const disputeStates = ['open', 'answered', 'resolved'] as const;

/**
 * The state of a payment that its bank has taken back or inquires about, in the card provider's terms;
 * `unknown` covers newer ones.
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

/** The states of the driver's part of such a payment. */
export const chargebackTransfers = [
  'none',
  'toTakeBack',
  'takenBack',
  'toSendAgain',
  'sentAgain',
  'refused',
] as const;

/** Problems with money that need an admin. */
export const paymentAlarmKinds = [
  'apiKey',
  'permission',
  'idempotency',
  'refundRefused',
  'transferRefused',
  'chargeback',
  'fraudWarning',
  'books',
  'openSum',
] as const;
export type PaymentAlarmKind = (typeof paymentAlarmKinds)[number];

/** A passenger objects to a charge; the driver answers, an admin decides. */
export const dispute = z.object({
  id: z.string(),
  bookingId: z.string(),
  state: z.enum(disputeStates),
  text: z.string(),
  /** The driver's side; empty until they have answered. */
  answer: z.string(),
  /** The reason of the decision; empty until then. */
  decision: z.string(),
  /** The passenger's refund; null until it is decided. */
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
  /** When and how the passenger was last reminded outside of the app, for the driver alone; null before. */
  reminder: z.object({ at: instant, by: z.enum(notificationChannels) }).nullable(),
  /** The agreed amount, the most that may be captured: it is, or will be, authorized on the card. */
  amountCents: cents,
  authorizedCents: cents,
  /** The captured amount, before refunds. */
  capturedCents: cents,
  refundedCents: cents,
  kind: z.enum(paymentKinds),
  /** When the authorization will be placed; null once it is. */
  holdAt: instant.nullable(),
  /** When the amount owed will be captured; null once it is, and where nothing is owed. */
  captureAt: instant.nullable(),
  /** The amount that will be captured then. */
  owedCents: cents,
  /** Where the passenger confirms with the bank; for the passenger alone. */
  actionUrl: z.string().nullable(),
  /** The bank's last decline code, such as `insufficient_funds`; for the passenger alone. */
  declineCode: z.string().nullable(),
  /** Until when the passenger may object to a charge, made or coming; null where they may not. */
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

/** The ride's fields in a receipt and in earnings. */
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

/** A payment's receipt for its passenger. */
export const receipt = z.object({
  ...paidRide,
  requestId: z.string(),
  state: z.enum(paymentStates),
  /** `visa •••• 4242`; empty before a card was used. */
  card: z.string(),
  authorizedCents: cents,
  capturedCents: cents,
  refundedCents: cents,
  /** When the money was captured; null while it is only authorized. */
  capturedAt: instant.nullable(),
  /** Of an interrupted ride: the distance ridden, and the one agreed. */
  ridden: z.object({ riddenMetres: metres, routeMetres: metres }).nullable(),
  at: instant,
});
export type Receipt = z.output<typeof receipt>;

/** A driver's earnings from one booking. */
export const earning = z.object({
  ...paidRide,
  rideId: z.string(),
  grossCents: cents,
  /** The service fee and the card's costs. */
  feeCents: cents,
  refundedCents: cents,
  /** Gross less fee, refunds, and chargebacks. */
  netCents: cents,
  /** `coming`: owed and not captured yet; `chargedBack`: the passenger’s bank has taken it back. */
  state: z.enum(['coming', 'paid', 'refunded', 'disputed', 'chargedBack']),
  at: instant,
});
export type Earning = z.output<typeof earning>;

/**
 * The figures for payments, authorizations, fees and refunds; the legal pages and the app read them from
 * here.
 */
export const moneyTerms = z.object({
  provider: z.enum(['stripe', 'sandbox']),
  /** False where cards are not accepted, so that every ride is free: in production without Stripe's keys. */
  takesCards: z.boolean(),
  /** For Stripe's own form in the browser; empty with the sandbox. */
  publishableKey: z.string(),
  minimumOfferCents: cents,
  maxTransactionCents: cents,
  /** The service fee, in hundredths of a percent of the captured amount. */
  serviceFeeBasisPoints: z.number().int(),
  cardFeeBasisPoints: z.number().int(),
  cardFeeCents: cents,
  /** The authorization is placed this many days before departure. */
  holdDays: z.number().int(),
  cancellation: z.object({
    freeBeforeHours: z.number().int(),
    lateWithinHours: z.number().int(),
    /** The percentage of the share charged between the two limits, and within the second or for a no-show. */
    midPercent: z.number().int(),
    latePercent: z.number().int(),
    /** Canceling is free this many minutes after joining, before the second limit. */
    graceMinutes: z.number().int(),
  }),
  disputeHours: z.number().int(),
});
export type MoneyTerms = z.output<typeof moneyTerms>;

const chargedRide = {
  /** Null, and so are the people, for a payment that was not made in this installation. */
  bookingId: z.string().nullable(),
  orderNumber: z.string(),
  passenger: person.nullable(),
  driver: person.nullable(),
};

/** A payment that its bank has taken back, or inquires about. */
export const chargeback = z.object({
  id: z.string(),
  ...chargedRide,
  state: z.enum(chargebackStates),
  /** The bank's reason, such as `fraudulent`. */
  reason: z.string(),
  amountCents: cents,
  /** The provider's fee for it. */
  feeCents: z.number().int(),
  /** The amount the bank has withdrawn so far. */
  withdrawnCents: z.number().int(),
  evidenceDueAt: instant.nullable(),
  hasEvidence: z.boolean(),
  /** The evidence for the payment, as of the bank's inquiry; null for one not made in this installation. */
  evidence: z
    .object({
      timeline: z
        .array(z.object({ at: instant, move: z.string(), state: z.string(), actor: z.string() }))
        .max(mostOfOne),
      /** When a passenger boarded, and by what proof: `pin`, `code`, or the side that reported it. */
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

/** A bank's warning that the card's holder may not have authorized a payment. */
export const fraudWarning = z.object({
  id: z.string(),
  ...chargedRide,
  /** The bank's type, such as `made_with_stolen_card`. */
  fraudType: z.string(),
  at: instant,
});
export type FraudWarning = z.output<typeof fraudWarning>;

/** A problem with money that waits for an admin. */
export const paymentAlarm = z.object({
  id: z.string(),
  kind: z.enum(paymentAlarmKinds),
  about: z.string(),
  detail: z.string(),
  /** How often it occurred. */
  times: z.number().int(),
  firstAt: instant,
  lastAt: instant,
  /** Whether the failed action can be retried. */
  canRetry: z.boolean(),
});
export type PaymentAlarm = z.output<typeof paymentAlarm>;
