import type { Stripe } from 'stripe';
import { done, type Attempt, type Outcome } from './outcomes.ts';

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
