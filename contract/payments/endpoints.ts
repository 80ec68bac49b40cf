import { z } from 'zod';
import { defineEndpoint, hourSeconds } from '../define.ts';
import {
  cents,
  feedbackLength,
  id,
  instant,
  mostOfOne,
  mostPerPage,
  offset,
  reasonLength,
  sentCents,
  someWords,
  words,
} from '../units.ts';
import { person } from '../user/endpoints.ts';
import {
  accountStates,
  chargeback,
  dispute,
  disputeStates,
  earning,
  fraudWarning,
  holdSteps,
  moneyTerms,
  payment,
  paymentAlarm,
  paymentKinds,
  paymentNeeds,
  paymentStates,
  receipt,
  savedCard,
} from './views.ts';

/** A card's id at the provider. */
const cardId = z.string().regex(/^[\w-]{1,255}$/, 'We couldn’t find this card.');
/** The page of this app to return to. */
const returnTo = z
  .string()
  .max(500)
  .regex(/^\/(?![/\\])[^\s]*$/, 'This address is not a page of this app.');
const cardsOutput = z.object({ methods: z.array(savedCard).max(mostPerPage) });

export const paymentConfig = defineEndpoint({
  method: 'GET',
  path: '/payment/config',
  who: 'guest',
  summary: 'The card provider of this installation, and its figures for holds, fees and cancellations.',
  input: z.object({}),
  output: moneyTerms,
  refusals: [],
});

export const paymentMethods = defineEndpoint({
  method: 'GET',
  path: '/payment/methods',
  who: 'user',
  summary: 'My saved cards, the newest first.',
  input: z.object({}),
  output: cardsOutput,
  refusals: ['payment.unavailable'],
});

export const setupIntent = defineEndpoint({
  method: 'POST',
  path: '/payment/setup-intent',
  who: 'user',
  summary: 'Starts saving a card: with `clientSecret` in the provider’s form, or on the page at `pageUrl`.',
  limits: [{ countedAs: 'card', per: 'caller', most: 30, withinSeconds: hourSeconds }],
  input: z.object({ returnTo: returnTo.default('/pages/account/payments') }),
  output: z.object({ clientSecret: z.string(), pageUrl: z.string().nullable() }),
  refusals: ['payment.off', 'payment.unavailable', 'payment.registrationFailed'],
});

export const setDefaultMethod = defineEndpoint({
  method: 'POST',
  path: '/payment/set-default',
  who: 'user',
  summary: 'Makes this card the default.',
  input: z.object({ id: cardId }),
  output: cardsOutput,
  refusals: ['payment.methodNotFound', 'payment.methodFailed'],
});

export const deleteMethod = defineEndpoint({
  method: 'POST',
  path: '/payment/delete-method',
  who: 'user',
  summary: 'Removes a card. Refuses to remove the last one if an upcoming ride is paid with it.',
  input: z.object({ id: cardId }),
  output: cardsOutput,
  refusals: ['payment.methodNotFound', 'payment.methodFailed', 'payment.methodNeeded'],
});

export const paymentAccount = defineEndpoint({
  method: 'GET',
  path: '/payment/account',
  who: 'user',
  summary: 'Whether I can receive payments, what is still missing, my balance and payouts.',
  input: z.object({}),
  output: z.object({
    state: z.enum(accountStates),
    /** The provider's open requirements, in its own terms, such as `individual.verification.document`. */
    missing: z.array(z.string()).max(mostOfOne),
    /** Null while the provider does not answer. */
    balance: z.object({ availableCents: cents, pendingCents: cents }).nullable(),
    payouts: z
      .array(z.object({ id: z.string(), amountCents: cents, state: z.string(), arrivesAt: instant }))
      .max(mostPerPage),
  }),
  refusals: [],
});

export const onboardLink = defineEndpoint({
  method: 'POST',
  path: '/payment/onboard-link',
  who: 'user',
  stepUp: true,
  summary:
    'The address of the provider’s form for receiving payments, which returns to the landing page. It works once and expires after a few minutes.',
  limits: [{ countedAs: 'onboard', per: 'caller', most: 30, withinSeconds: hourSeconds }],
  input: z.object({}),
  output: z.object({ url: z.string() }),
  refusals: ['payment.off', 'payment.unavailable', 'payment.registrationFailed', 'payment.accountRejected'],
});

export const earnings = defineEndpoint({
  method: 'GET',
  path: '/payment/earnings',
  who: 'user',
  summary: 'The earnings from my rides, the latest first.',
  input: z.object({ offset }),
  output: z.object({
    earnings: z.array(earning).max(mostPerPage),
    total: z.number().int(),
    /** The sum of all. */
    netCents: cents,
    comingCents: cents,
  }),
  refusals: [],
});

export const receipts = defineEndpoint({
  method: 'GET',
  path: '/payment/receipts',
  who: 'user',
  summary: 'My payments as a passenger, the latest first; with `bookingId`, only that one.',
  input: z.object({ offset, bookingId: id.optional() }),
  output: z.object({ receipts: z.array(receipt).max(mostPerPage), total: z.number().int() }),
  refusals: [],
});

export const authorize = defineEndpoint({
  method: 'POST',
  path: '/payment/authorize',
  who: 'user',
  summary:
    'Pays for a booking, or tries again: reads the state of the payment, then places a hold for the share on a card, by default the default card.',
  limits: [{ countedAs: 'pay', per: 'caller', most: 60, withinSeconds: hourSeconds }],
  input: z.object({ bookingId: id, methodId: cardId.optional() }),
  output: payment,
  refusals: [
    'booking.notFound',
    'payment.notDue',
    'payment.methodNotFound',
    'payment.methodMissing',
    'payment.failed',
    'payment.driverAccount',
    'payment.unavailable',
  ],
});

export const openDispute = defineEndpoint({
  method: 'POST',
  path: '/payment/dispute',
  who: 'user',
  summary: 'Disputes a charge, or one that is about to be made, within 24 hours.',
  input: z.object({ bookingId: id, text: someWords(reasonLength, 'Please enter a reason.') }),
  output: dispute,
  refusals: ['booking.notFound', 'dispute.tooLate', 'dispute.exists'],
});

export const answerDispute = defineEndpoint({
  method: 'POST',
  path: '/payment/answer-dispute',
  who: 'user',
  summary: 'Adds the driver’s answer to a dispute, once.',
  input: z.object({ disputeId: id, text: someWords(reasonLength, 'Please enter an answer.') }),
  output: dispute,
  refusals: ['dispute.notFound', 'dispute.moved'],
});

const adminDispute = dispute.extend({
  passenger: person.nullable(),
  driver: person.nullable(),
  orderNumber: z.string(),
  from: z.string(),
  to: z.string(),
  rideAt: instant,
  timeZone: z.string(),
  payment: payment.omit({ dispute: true }),
});
export type AdminDispute = z.output<typeof adminDispute>;

export const listDisputes = defineEndpoint({
  method: 'GET',
  path: '/admin/disputes',
  who: 'admin',
  permission: 'disputes.read',
  summary: 'Disputes, undecided ones first, and the result of the reconciliation with the provider.',
  input: z.object({ state: z.enum([...disputeStates, 'all']).default('all'), offset }),
  output: z.object({
    disputes: z.array(adminDispute).max(mostPerPage),
    total: z.number().int(),
    reconciliation: z
      .object({
        at: instant,
        checked: z.number().int(),
        differences: z
          .array(
            z.object({
              bookingId: z.string(),
              what: z.string(),
              oursCents: cents,
              theirsCents: cents,
            }),
          )
          .max(mostOfOne),
      })
      .nullable(),
  }),
  refusals: [],
});

export const resolveDispute = defineEndpoint({
  method: 'POST',
  path: '/admin/resolve-dispute',
  who: 'admin',
  permission: 'disputes.decide',
  stepUp: true,
  summary: 'Decides a dispute: how much the passenger gets back, from nothing to everything, and why.',
  input: z.object({
    disputeId: id,
    refundCents: sentCents.min(0, 'Please enter an amount of zero or more.'),
    decision: words(reasonLength),
  }),
  output: dispute,
  refusals: [
    'dispute.notFound',
    'dispute.moved',
    'dispute.reasonMissing',
    'dispute.amountTooHigh',
    'dispute.chargedBack',
  ],
});

export const listMoney = defineEndpoint({
  method: 'GET',
  path: '/admin/money',
  who: 'admin',
  permission: 'money.read',
  summary:
    'Payment matters for an admin: alarms, chargebacks and warnings of banks, and whether the ledger matches the provider’s balance.',
  input: z.object({ offset }),
  output: z.object({
    alarms: z.array(paymentAlarm).max(mostPerPage),
    /** Those that can still be answered first. */
    chargebacks: z.array(chargeback).max(mostPerPage),
    total: z.number().int(),
    warnings: z.array(fraudWarning).max(mostPerPage),
    /** Null until the first reconciliation. */
    books: z
      .object({
        at: instant,
        ledgerCents: z.number().int(),
        providerCents: z.number().int(),
        /**
         * Money that payments have moved and the provider has not booked, or the other way round; all zero at
         * rest.
         */
        openCents: z.object({
          cards: z.number().int(),
          drivers: z.number().int(),
          disputes: z.number().int(),
        }),
      })
      .nullable(),
  }),
  refusals: [],
});

const cardHold = z.object({
  id: z.string(),
  bookingId: z.string(),
  orderNumber: z.string(),
  rideAt: instant,
  timeZone: z.string(),
  /** Null once the account is gone. */
  passenger: person.nullable(),
  driver: person.nullable(),
  kind: z.enum(paymentKinds),
  state: z.enum(paymentStates),
  /** The most that may be captured. */
  amountCents: cents,
  authorizedCents: cents,
  /** The amount to capture; 0 while that is not known, and where nothing is owed. */
  owedCents: cents,
  capturedCents: cents,
  refundedCents: cents,
  /** When the provider ends the hold by itself; null where there is none. */
  endsAt: instant.nullable(),
  next: z.enum(holdSteps),
  /** When it comes; in the past where the server is late. Null where it waits for a person. */
  nextAt: instant.nullable(),
  /** The passenger's next task. */
  need: z.enum(paymentNeeds).nullable(),
  /** The provider's word for what it refused. */
  trouble: z.string().nullable(),
  /** A debt, which an admin can write off. */
  isDebt: z.boolean(),
});
export type CardHold = z.output<typeof cardHold>;

export const listHolds = defineEndpoint({
  method: 'GET',
  path: '/admin/holds',
  who: 'admin',
  permission: 'money.read',
  summary:
    'Card holds and payments that are not over, each with its next step, the soonest first; those that wait for a person come last.',
  input: z.object({ offset, size: z.coerce.number().int().min(1).max(mostPerPage).default(30) }),
  output: z.object({ holds: z.array(cardHold).max(mostPerPage), total: z.number().int() }),
  refusals: [],
});

export const writeOffDebt = defineEndpoint({
  method: 'POST',
  path: '/admin/write-off-debt',
  who: 'admin',
  permission: 'money.settle',
  stepUp: true,
  summary:
    'Writes off what a passenger owes and could not be charged: the driver gets nothing for it, and the ledger records it.',
  input: z.object({ id, note: someWords(reasonLength, 'Please enter a reason.') }),
  output: z.object({}),
  refusals: ['debt.notFound', 'debt.over', 'debt.disputed'],
});

/** The provider's id of a chargeback or a warning. */
const chargebackId = z.string().regex(/^[\w-]{1,255}$/, 'We couldn’t find this chargeback.');

export const clearChargeback = defineEndpoint({
  method: 'POST',
  path: '/admin/clear-chargeback',
  who: 'admin',
  permission: 'money.settle',
  stepUp: true,
  summary: 'Lets the passenger behind a chargeback or a fraud warning join paid rides again.',
  input: z.object({ id: chargebackId, note: someWords(reasonLength, 'Please enter a reason.') }),
  output: z.object({}),
  refusals: ['chargeback.notFound'],
});

export const answerChargeback = defineEndpoint({
  method: 'POST',
  path: '/admin/answer-chargeback',
  who: 'admin',
  permission: 'money.settle',
  stepUp: true,
  summary: 'Sends the bank evidence for a payment, once.',
  input: z.object({ id: chargebackId, text: someWords(feedbackLength, 'Please enter an answer.') }),
  output: z.object({}),
  refusals: ['chargeback.notFound', 'chargeback.closed', 'payment.unavailable'],
});

export const endAlarm = defineEndpoint({
  method: 'POST',
  path: '/admin/end-alarm',
  who: 'admin',
  permission: 'money.settle',
  stepUp: true,
  summary: 'Closes a payment alarm; with `again`, the server retries what the provider refused.',
  input: z.object({ id, again: z.boolean().default(false) }),
  output: z.object({}),
  refusals: ['alarm.over'],
});
