import { randomBytes } from 'node:crypto';
import type { Stripe } from 'stripe';
import { z } from 'zod';
import type { KeptObjects } from './kept-objects.ts';
import { noSuch } from './api-error.ts';
import type { Row } from './store.ts';

/** An account link is never shown again, so that it needs an id of our own. */
interface KeptAccountLink extends Stripe.AccountLink {
  id: string;
}

/** Every kind of object, by the API's own name for it. */
export interface Bodies {
  customer: Stripe.Customer;
  payment_method: Stripe.PaymentMethod;
  setup_intent: Stripe.SetupIntent;
  payment_intent: Stripe.PaymentIntent;
  charge: Stripe.Charge;
  refund: Stripe.Refund;
  account: Stripe.Account;
  account_link: KeptAccountLink;
  transfer: Stripe.Transfer;
  transfer_reversal: Stripe.TransferReversal;
  application_fee: Stripe.ApplicationFee;
  fee_refund: Stripe.FeeRefund;
  payout: Stripe.Payout;
  balance_transaction: Stripe.BalanceTransaction;
  dispute: Stripe.Dispute;
  'radar.early_fraud_warning': Stripe.Radar.EarlyFraudWarning;
  event: Stripe.Event;
}
export type Kind = keyof Bodies;

const prefixes: Record<Kind, string> = {
  customer: 'cus',
  payment_method: 'pm',
  setup_intent: 'seti',
  payment_intent: 'pi',
  charge: 'ch',
  refund: 're',
  account: 'acct',
  account_link: 'link',
  transfer: 'tr',
  transfer_reversal: 'trr',
  application_fee: 'fee',
  fee_refund: 'fr',
  payout: 'po',
  balance_transaction: 'txn',
  dispute: 'du',
  'radar.early_fraud_warning': 'issfr',
  event: 'evt',
};

/** What the provider knows of an object and does not show. */
const hiddenSchema = z.object({
  /** The number of the test card behind a payment method. */
  card: z.string().exactOptional(),
  /** What the test account behind a payment method does. */
  debit: z.enum(['succeeds', 'stays']).exactOptional(),
  /** Its holder has confirmed that it may be charged when they are away. */
  isSetUp: z.boolean().exactOptional(),
  /** Where the holder goes after confirming. */
  returnUrl: z.string().exactOptional(),
  refreshUrl: z.string().exactOptional(),
  /** The account that an account link leads into. */
  forAccount: z.string().exactOptional(),
  isUsed: z.boolean().exactOptional(),
  /** A payment method that was detached from its customer is not used again. */
  isDetached: z.boolean().exactOptional(),
  /** An account whose money leaves only when it is asked to. */
  paysOutByHand: z.boolean().exactOptional(),
});
export type Hidden = z.output<typeof hiddenSchema>;

export interface SandboxObject<K extends Kind = Kind> extends Row {
  kind: K;
  body: Bodies[K];
  hidden: Hidden;
}

/** What a handler knows of its request. */
export interface Call {
  objects: KeptObjects;
  now: Date;
  /** The connected account it acts for; empty for the platform. */
  account: string;
  /** Where people find the hosted pages, without a slash at the end. */
  pagesUrl: string;
  requestId: string | null;
  idempotencyKey: string | null;
  /** Whether a webhook endpoint is set. */
  hasWebhook: boolean;
  apiVersion: string;
}

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

export const randomWord = (length: number): string =>
  [...randomBytes(length)].map((byte) => letters[byte % letters.length]).join('');

export const newId = (kind: Kind): string => `${prefixes[kind]}_${randomWord(24)}`;

export const secondsOf = (at: Date): number => Math.floor(at.getTime() / 1000);

/**
 * Adds an object.
 * @param kept what the API does not show of it: by default nothing, and it belongs to the call's account.
 */
export function add<K extends Kind>(
  call: Call,
  kind: K,
  body: Bodies[K] & { id: string },
  kept: { hidden?: Hidden; account?: string; dueAt?: Date | null; deliverAt?: Date | null } = {},
): SandboxObject<K> {
  const { hidden = {}, account = call.account, dueAt = null, deliverAt = null } = kept;
  const thing: SandboxObject<K> = { id: body.id, kind, account, body, hidden, dueAt };
  call.objects.save(thing, deliverAt);
  return thing;
}

/** An object from its stored row. @throws Error where it is of another kind. */
export function objectOf<K extends Kind>(kind: K, row: Row): SandboxObject<K> {
  if (!isOfKind(kind, row)) throw new Error(`${row.id} is no ${kind}.`);
  return { ...row, hidden: hiddenSchema.parse(row.hidden) };
}

/** The sandbox alone writes bodies, each by Stripe's own type: only that it is an object is checked. */
const isOfKind = <K extends Kind>(kind: K, row: Row): row is Row & { kind: K; body: Bodies[K] } =>
  row.kind === kind && typeof row.body === 'object' && row.body !== null;

/** Writes what the API shows of an object that was deleted. */
export const saveDeleted = (
  call: Call,
  thing: SandboxObject,
  body: { id: string; object: string; deleted: true },
): void => call.objects.save({ ...thing, body });

export const save = (call: Call, thing: SandboxObject): void => call.objects.save(thing);

/** The object, locked for this request. @throws ApiError `resource_missing`. */
export async function take<K extends Kind>(
  call: Call,
  kind: K,
  id: string,
  {
    param = kind,
    status = 400,
    account = call.account,
  }: { param?: string; status?: number; account?: string } = {},
): Promise<SandboxObject<K>> {
  const row = await call.objects.find({ id, kind, account }, true);
  if (row === null || isDeleted(row)) throw noSuch(kind, id, param, status);
  return objectOf(kind, row);
}

/**
 * Refuses an object that is not there. It is not locked: a customer is locked after its cards, and what is
 * made for a customer takes the card later.
 * @throws ApiError `resource_missing`.
 */
export async function requirePresent(call: Call, kind: Kind, id: string): Promise<void> {
  const row = await call.objects.find({ id, kind, account: call.account });
  if (row === null || isDeleted(row)) throw noSuch(kind, id, kind, 400);
}

/** A deleted customer or account can still be read, as nothing but deleted. */
const isDeleted = ({ body }: Row): boolean =>
  typeof body === 'object' && body !== null && 'deleted' in body && body.deleted === true;

/** The object as it is, for showing. @throws ApiError `resource_missing`, 404. */
export async function look<K extends Kind>(call: Call, kind: K, id: string): Promise<SandboxObject<K>> {
  const row = await call.objects.find({ id, kind, account: call.account });
  if (row === null) throw noSuch(kind, id, kind === 'payment_intent' ? 'intent' : kind, 404);
  return objectOf(kind, row);
}

/**
 * Writes that something happened to a thing, as it is now, and sends it to the webhook once the request is
 * committed. What happens to a connected account is listed there.
 */
export function tell(
  call: Call,
  type: string,
  thing: SandboxObject,
  previous?: Readonly<Record<string, unknown>>,
): void {
  const body = {
    id: newId('event'),
    object: 'event',
    api_version: call.apiVersion,
    ...(thing.account === '' ? {} : { account: thing.account }),
    created: secondsOf(call.now),
    data: {
      object: thing.body,
      ...(previous === undefined ? {} : { previous_attributes: previous }),
    },
    livemode: false,
    pending_webhooks: call.hasWebhook ? 1 : 0,
    request: { id: call.requestId, idempotency_key: call.idempotencyKey },
    type,
    // Stripe's type has a member for each name of an event; here the name is a variable.
  } as unknown as Stripe.Event;
  add(call, 'event', body, {
    account: thing.account,
    deliverAt: call.hasWebhook ? call.now : null,
  });
}

export const idOf = (value: string | { id: string } | null | undefined): string | null =>
  value == null ? null : typeof value === 'string' ? value : value.id;
