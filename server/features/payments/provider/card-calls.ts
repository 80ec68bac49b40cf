import type { Stripe } from 'stripe';
import { returnAddressName } from '../../../../stripe-sandbox/protocol.ts';
import { done, idOf, type Attempt, type Outcome } from './outcomes.ts';

export interface CardSetup {
  id: string;
  state: Stripe.SetupIntent.Status;
  /** For Stripe's Payment Element in the browser. */
  clientSecret: string;
  /** The hosted page that takes the card instead of the Payment Element; null with Stripe itself. */
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

/**
 * The calls about saved cards.
 * @param pagesUrl where the browser finds the sandbox's pages; null with Stripe itself.
 */
export function cardCalls(stripe: Stripe, attempt: Attempt, pagesUrl: string | null) {
  const setupOf = (setup: Stripe.SetupIntent): CardSetup => ({
    id: setup.id,
    state: setup.status,
    clientSecret: setup.client_secret ?? '',
    pageUrl:
      pagesUrl !== null && setup.client_secret !== null ? `${pagesUrl}/card/${setup.client_secret}` : null,
    cardId: idOf(setup.payment_method),
    customerId: idOf(setup.customer),
  });

  return {
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
  };
}

function cardsOf(method: Stripe.PaymentMethod, preferred: string | null): SavedCard[] {
  if (method.card === undefined) return [];
  const { brand, last4, exp_month: expiryMonth, exp_year: expiryYear } = method.card;
  return [{ id: method.id, brand, last4, expiryMonth, expiryYear, isDefault: method.id === preferred }];
}

/** The calls about people as the provider's customers. */
export const customerCalls = (stripe: Stripe, attempt: Attempt) => ({
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

  /** Deletes a customer with all cards. */
  deleteCustomer: (customerId: string): Promise<Outcome<null>> =>
    attempt(async () => {
      await stripe.customers.del(customerId);
      return done(null);
    }),
});
