import { Stripe } from 'stripe';
import { paymentStates, type PaymentState } from '#contract/payments/views.ts';
import { apiVersion, returnAddressName } from '../../../../stripe-sandbox/protocol.ts';
import { secondMs, type Clock } from '../../../platform/clock.ts';
import { attemptWith, done, idOf, instantOf, type Outcome, type ProviderFault } from './outcomes.ts';
import { balanceCalls } from './balance-calls.ts';
import { disputeCalls } from './chargeback-calls.ts';

/** Everything the SDK may name a payment's state; its type leaves room for words that do not exist yet. */
const isKnownState = (status: string): status is PaymentState =>
  (paymentStates as readonly string[]).includes(status);

export interface Payment {
  id: string;
  state: PaymentState;
  /** What was asked for. */
  amountCents: number;
  /** What is held and not yet taken. */
  heldCents: number;
  /** What was taken, before refunds. */
  takenCents: number;
  /** What was given back of it. */
  refundedCents: number;
  /** The platform's part of it. */
  feeCents: number;
  /** When a hold ends by itself; null where nothing is held. */
  holdEndsAt: Date | null;
  /** Where the holder confirms; null where nobody is asked. */
  actionUrl: string | null;
  /** The bank's last word, such as `insufficient_funds`; null after a success. */
  declineCode: string | null;
  metadata: Readonly<Record<string, string>>;
}

export interface CardSetup {
  id: string;
  state: Stripe.SetupIntent.Status;
  /** For Stripe's Payment Element in the browser. */
  clientSecret: string;
  /** The hosted page that takes the card in place of the Payment Element; null with Stripe itself. */
  pageUrl: string | null;
  cardId: string | null;
  customerId: string | null;
}

export interface SavedCard {
  id: string;
  brand: string;
  last4: string;
  expiryMonth: number;
  expiryYear: number;
  isDefault: boolean;
}

/** Whether a driver can be paid: not begun, being filled in, ready, something missing, refused for good. */
export type AccountState = 'started' | 'verified' | 'restricted' | 'rejected';

export interface DriverAccount {
  id: string;
  state: AccountState;
  /** What the provider still wants to know, in its words. */
  missing: readonly string[];
  metadata: Readonly<Record<string, string>>;
}

export interface Earnings {
  availableCents: number;
  pendingCents: number;
}

export interface DriverPayout {
  id: string;
  amountCents: number;
  state: string;
  arrivesAt: Date;
}

export interface ProviderEvent {
  id: string;
  type: string;
  at: Date;
  /** The connected account it is about; null for the platform. */
  accountId: string | null;
  /** What it is about, by kind and id: its state is read afresh, because events come late, twice and in any order. */
  about: {
    kind: string;
    id: string | null;
    /** The payment behind a charge, a refund, a dispute. */
    paymentId: string | null;
    metadata: Readonly<Record<string, string>>;
  };
}

export interface HoldInput {
  customerId: string;
  cardId: string;
  /** The most that may be taken. */
  amountCents: number;
  /** The driver's account, which what is taken goes to, without the fee that is decided then. */
  accountId: string;
  /** True while the passenger is there to confirm, false for holds that the clock places. */
  isPresent: boolean;
  /** Where the passenger comes back to after confirming. */
  returnUrl: string;
  description: string;
  metadata: Readonly<Record<string, string>>;
}

export type CardProviderOptions = {
  secretKey: string;
  /** Stripe has one for its own events and one for those of connected accounts. */
  webhookSecrets: readonly string[];
  clock: Clock;
  /** What carries the requests, in place of the SDK's own client: tests watch and disturb it. */
  httpClient?: Stripe.HttpClient;
  /** Is told when a call fails for what the operator has to repair. */
  onFault?: (fault: ProviderFault, message: string) => void;
} & (
  | { kind: 'stripe' }
  | {
      kind: 'sandbox';
      port: number;
      /** Where the browser finds the sandbox's pages, without a slash at the end. */
      pagesUrl: string;
    }
);

const answerWithinMs = 20 * secondMs;

/**
 * The one face of card payments, over Stripe's SDK: to Stripe with a key, else to the embedded sandbox, by the same code.
 * Everything that changes something takes a `key`; the same call with the same key does it once. Amounts are whole US cents.
 */
export function createCardProvider(options: CardProviderOptions) {
  const stripe = new Stripe(options.secretKey, {
    apiVersion,
    // Over a line that tests disturb, trying again is left to whoever wants something: the SDK would wait in real time.
    maxNetworkRetries: options.httpClient === undefined ? 2 : 0,
    timeout: answerWithinMs,
    telemetry: false,
    appInfo: { name: 'Sameway' },
    ...(options.httpClient === undefined ? {} : { httpClient: options.httpClient }),
    ...(options.kind === 'sandbox'
      ? { host: '127.0.0.1', port: options.port, protocol: 'http' as const }
      : {}),
  });
  const attempt = attemptWith(options.onFault ?? (() => undefined));
  const pageUrlOf = (setup: Stripe.SetupIntent) =>
    options.kind === 'sandbox' && setup.client_secret !== null
      ? `${options.pagesUrl}/card/${setup.client_secret}`
      : null;

  const setupOf = (setup: Stripe.SetupIntent): CardSetup => ({
    id: setup.id,
    state: setup.status,
    clientSecret: setup.client_secret ?? '',
    pageUrl: pageUrlOf(setup),
    cardId: idOf(setup.payment_method),
    customerId: idOf(setup.customer),
  });

  /** Runs a call that ends with a payment; a declined one still shows it. */
  async function payment(work: () => Promise<Stripe.PaymentIntent>): Promise<Outcome<Payment>> {
    return attempt(
      async () => {
        const intent = await work();
        const value = paymentOf(intent);
        return intent.status === 'requires_action'
          ? { outcome: 'needsAction', value, actionUrl: value.actionUrl }
          : done(value);
      },
      (error) => (error.payment_intent === undefined ? null : paymentOf(error.payment_intent)),
    );
  }

  return {
    kind: options.kind,
    ...disputeCalls(stripe, attempt),
    ...balanceCalls(stripe, attempt),

    createCustomer: (
      input: { email: string; name: string; metadata: Readonly<Record<string, string>> },
      key: string,
    ): Promise<Outcome<string>> =>
      attempt(async () =>
        done(
          (
            await stripe.customers.create(
              { email: input.email, name: input.name, metadata: { ...input.metadata } },
              { idempotencyKey: key },
            )
          ).id,
        ),
      ),

    /** Takes a customer away with all cards. */
    deleteCustomer: (customerId: string): Promise<Outcome<null>> =>
      attempt(async () => {
        await stripe.customers.del(customerId);
        return done(null);
      }),

    /** Begins to save a card: the browser goes on with the Payment Element, or to `pageUrl`. */
    startCard: (
      { customerId, returnUrl }: { customerId: string; returnUrl: string },
      key: string,
    ): Promise<Outcome<CardSetup>> =>
      attempt(async () =>
        done(
          setupOf(
            await stripe.setupIntents.create(
              {
                customer: customerId,
                allowed_payment_method_types: ['card'],
                usage: 'off_session',
                metadata: { [returnAddressName]: returnUrl },
              },
              { idempotencyKey: key },
            ),
          ),
        ),
      ),

    cardSetup: (setupId: string): Promise<Outcome<CardSetup>> =>
      attempt(async () => done(setupOf(await stripe.setupIntents.retrieve(setupId)))),

    /** The saved cards, the newest first. */
    cards: (customerId: string): Promise<Outcome<SavedCard[]>> =>
      attempt(async () => {
        const [customer, methods] = await Promise.all([
          stripe.customers.retrieve(customerId),
          stripe.customers.listPaymentMethods(customerId, { type: 'card', limit: 100 }),
        ]);
        const preferred =
          customer.deleted === true ? null : idOf(customer.invoice_settings.default_payment_method);
        return done(methods.data.flatMap((method) => cardsOf(method, preferred)));
      }),

    setDefaultCard: (
      { customerId, cardId }: { customerId: string; cardId: string },
      key: string,
    ): Promise<Outcome<null>> =>
      attempt(async () => {
        await stripe.customers.update(
          customerId,
          { invoice_settings: { default_payment_method: cardId } },
          { idempotencyKey: key },
        );
        return done(null);
      }),

    removeCard: (cardId: string, key: string): Promise<Outcome<null>> =>
      attempt(async () => {
        await stripe.paymentMethods.detach(cardId, {}, { idempotencyKey: key });
        return done(null);
      }),

    /** Holds an amount on a card, to be taken in whole or in part within about seven days, or let go. */
    hold: (input: HoldInput, key: string): Promise<Outcome<Payment>> =>
      payment(() =>
        stripe.paymentIntents.create(
          {
            amount: input.amountCents,
            currency: 'usd',
            customer: input.customerId,
            payment_method: input.cardId,
            allowed_payment_method_types: ['card'],
            capture_method: 'manual',
            confirm: true,
            ...(input.isPresent ? { return_url: input.returnUrl } : { off_session: true }),
            transfer_data: { destination: input.accountId },
            description: input.description,
            metadata: { ...input.metadata },
            expand: ['latest_charge'],
          },
          { idempotencyKey: key },
        ),
      ),

    /** Tries a hold again that was declined or waits for its holder, with the passenger present. */
    confirm: (
      input: { paymentId: string; cardId: string; returnUrl: string },
      key: string,
    ): Promise<Outcome<Payment>> =>
      payment(() =>
        stripe.paymentIntents.confirm(
          input.paymentId,
          { payment_method: input.cardId, return_url: input.returnUrl, expand: ['latest_charge'] },
          { idempotencyKey: key },
        ),
      ),

    /** The payments that a customer's holds with this metadata have made, the newest first. */
    paymentsOf: ({
      customerId,
      since,
      holdId,
    }: {
      customerId: string;
      since: Date;
      holdId: string;
    }): Promise<Outcome<Payment[]>> =>
      attempt(async () => {
        const found: Payment[] = [];
        const list = stripe.paymentIntents.list({
          customer: customerId,
          created: { gte: Math.floor(since.getTime() / 1000) },
          limit: 100,
          expand: ['data.latest_charge'],
        });
        for await (const intent of list)
          if (intent.metadata['hold'] === holdId) found.push(paymentOf(intent));
        return done(found);
      }),

    payment: (paymentId: string): Promise<Outcome<Payment>> =>
      payment(() => stripe.paymentIntents.retrieve(paymentId, { expand: ['latest_charge'] })),

    /** Takes a held amount, at most what is held; the rest is let go. The platform keeps `feeCents` of it. */
    capture: (
      input: { paymentId: string; amountCents: number; feeCents: number },
      key: string,
    ): Promise<Outcome<Payment>> =>
      payment(() =>
        stripe.paymentIntents.capture(
          input.paymentId,
          {
            amount_to_capture: input.amountCents,
            // The API knows no fee of zero.
            ...(input.feeCents === 0 ? {} : { application_fee_amount: input.feeCents }),
            expand: ['latest_charge'],
          },
          { idempotencyKey: key },
        ),
      ),

    /** Lets a hold go, or gives up a payment that never came about. */
    release: (paymentId: string, key: string): Promise<Outcome<Payment>> =>
      payment(() => stripe.paymentIntents.cancel(paymentId, {}, { idempotencyKey: key })),

    /**
     * Gives back what was taken, or a part of it.
     * @param isShared the driver and the platform give their shares with it; false where `takeBackSentAgain` has taken them.
     */
    refund: (
      input: {
        paymentId: string;
        amountCents: number;
        isShared: boolean;
        metadata: Readonly<Record<string, string>>;
      },
      key: string,
    ): Promise<Outcome<string>> =>
      attempt(async () =>
        done(
          (
            await stripe.refunds.create(
              {
                payment_intent: input.paymentId,
                amount: input.amountCents,
                reverse_transfer: input.isShared,
                refund_application_fee: input.isShared,
                metadata: { ...input.metadata },
              },
              { idempotencyKey: key },
            )
          ).id,
        ),
      ),

    createAccount: (
      input: { email: string; metadata: Readonly<Record<string, string>> },
      key: string,
    ): Promise<Outcome<DriverAccount>> =>
      attempt(async () =>
        done(
          accountOf(
            await stripe.accounts.create(
              {
                type: 'express',
                country: 'US',
                email: input.email,
                business_type: 'individual',
                capabilities: { transfers: { requested: true }, card_payments: { requested: true } },
                metadata: { ...input.metadata },
              },
              { idempotencyKey: key },
            ),
          ),
        ),
      ),

    /** Where a driver fills in their papers; good once, for minutes. */
    onboardingUrl: (
      input: { accountId: string; returnUrl: string; refreshUrl: string },
      key: string,
    ): Promise<Outcome<string>> =>
      attempt(async () =>
        done(
          (
            await stripe.accountLinks.create(
              {
                account: input.accountId,
                type: 'account_onboarding',
                return_url: input.returnUrl,
                refresh_url: input.refreshUrl,
              },
              { idempotencyKey: key },
            )
          ).url,
        ),
      ),

    account: (accountId: string): Promise<Outcome<DriverAccount>> =>
      attempt(async () => done(accountOf(await stripe.accounts.retrieve(accountId)))),

    earnings: (accountId: string): Promise<Outcome<Earnings>> =>
      attempt(async () => {
        const balance = await stripe.balance.retrieve({}, { stripeAccount: accountId });
        return done({ availableCents: usdOf(balance.available), pendingCents: usdOf(balance.pending) });
      }),

    /** The latest payouts to a driver's bank, the newest first. */
    payouts: (accountId: string): Promise<Outcome<DriverPayout[]>> =>
      attempt(async () => {
        const list = await stripe.payouts.list({ limit: 50 }, { stripeAccount: accountId });
        return done(
          list.data.map((payout) => ({
            id: payout.id,
            amountCents: payout.amount,
            state: payout.status,
            arrivesAt: instantOf(payout.arrival_date),
          })),
        );
      }),

    /**
     * A page of the platform's events of thirty days, for what the webhook has missed; the newest first.
     * @param from `after` an event: those that follow it at once; `before` one: those that precede it; null: the newest.
     */
    events: (
      from: { after: string } | { before: string } | null,
    ): Promise<Outcome<{ events: ProviderEvent[]; hasMore: boolean }>> =>
      attempt(async () => {
        const page = await stripe.events.list({
          limit: 100,
          ...(from === null
            ? {}
            : 'after' in from
              ? { ending_before: from.after }
              : { starting_after: from.before }),
        });
        return done({ events: page.data.map(eventOf), hasMore: page.has_more });
      }),

    /** A webhook's event; null when its signature is not the provider's, or it is older than five minutes. */
    readWebhook(body: Buffer | string, signature: string): ProviderEvent | null {
      const now = options.clock.now().getTime();
      for (const secret of options.webhookSecrets) {
        try {
          return eventOf(stripe.webhooks.constructEvent(body, signature, secret, undefined, undefined, now));
        } catch (error) {
          if (!(error instanceof Stripe.errors.StripeSignatureVerificationError)) throw error;
        }
      }
      return null;
    },
  };
}

export type CardProvider = ReturnType<typeof createCardProvider>;

const usdOf = (lines: readonly { amount: number; currency: string }[]): number =>
  lines.reduce((sum, line) => (line.currency === 'usd' ? sum + line.amount : sum), 0);

function paymentOf(intent: Stripe.PaymentIntent): Payment {
  const charge = typeof intent.latest_charge === 'string' ? null : intent.latest_charge;
  const endsAt =
    intent.status === 'requires_capture' ? charge?.payment_method_details?.card?.capture_before : undefined;
  const trouble = intent.last_payment_error;
  if (!isKnownState(intent.status)) throw new Error(`The payment ${intent.id} is ${intent.status}.`);
  return {
    id: intent.id,
    state: intent.status,
    amountCents: intent.amount,
    heldCents: intent.amount_capturable,
    takenCents: intent.amount_received,
    refundedCents: refundedOf(charge),
    feeCents: charge?.application_fee_amount ?? 0,
    holdEndsAt: endsAt === undefined ? null : instantOf(endsAt),
    actionUrl: intent.next_action?.redirect_to_url?.url ?? null,
    declineCode: trouble === null ? null : (trouble.decline_code ?? trouble.code ?? 'generic_decline'),
    metadata: intent.metadata,
  };
}

/** What went back of the money that was taken; the rest of a hold, let go as a part was taken, counts as given back too there. */
const refundedOf = (charge: Stripe.Charge | null): number =>
  charge?.captured === true ? charge.amount_refunded - (charge.amount - charge.amount_captured) : 0;

function cardsOf(method: Stripe.PaymentMethod, preferred: string | null): SavedCard[] {
  if (method.card === undefined) return [];
  const { brand, last4, exp_month: expiryMonth, exp_year: expiryYear } = method.card;
  return [{ id: method.id, brand, last4, expiryMonth, expiryYear, isDefault: method.id === preferred }];
}

function accountOf(account: Stripe.Account): DriverAccount {
  const missing = account.requirements?.currently_due ?? [];
  const isRejected = account.requirements?.disabled_reason?.startsWith('rejected.') === true;
  const isVerified = account.capabilities?.transfers === 'active' && account.payouts_enabled;
  const state = isRejected
    ? 'rejected'
    : isVerified
      ? 'verified'
      : account.details_submitted
        ? 'restricted'
        : 'started';
  return { id: account.id, state, missing, metadata: account.metadata ?? {} };
}

function eventOf(event: Stripe.Event): ProviderEvent {
  const about = event.data.object as {
    object: string;
    id?: string;
    metadata?: Record<string, string> | null;
    payment_intent?: string | { id: string } | null;
  };
  return {
    id: event.id,
    type: event.type,
    at: instantOf(event.created),
    accountId: event.account ?? null,
    about: {
      kind: about.object,
      id: about.id ?? null,
      paymentId: idOf(about.payment_intent),
      metadata: about.metadata ?? {},
    },
  };
}
