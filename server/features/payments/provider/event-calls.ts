import type { Stripe } from 'stripe';
import { z } from 'zod';
import type { Clock } from '../../../platform/clock.ts';
import { done, idOf, instantOf, type Attempt, type Outcome } from './outcomes.ts';
import type { PageFrom } from './read-feed.ts';

export interface ProviderEvent {
  id: string;
  type: string;
  at: Date;
  /** The connected account it is about; null for the platform. */
  accountId: string | null;
  /**
   * Its subject, by kind and id: the state is read from the provider, because events come late, twice and in
   * any order.
   */
  about: {
    kind: string;
    id: string | null;
    /** The payment behind a charge, a refund, a chargeback. */
    paymentId: string | null;
    metadata: Readonly<Record<string, string>>;
  };
}

/** The settings by which the webhook's events are verified. */
interface WebhookTerms {
  /** Stripe has one for its own events and one for those of connected accounts. */
  webhookSecrets: readonly string[];
  clock: Clock;
}

/** The calls about what the provider tells by itself. */
export const eventCalls = (stripe: Stripe, attempt: Attempt, { webhookSecrets, clock }: WebhookTerms) => ({
  /**
   * A page of the platform's events of thirty days, for what the webhook has missed; the newest first.
   * @param from `after` an event: those that follow it at once; `before` one: those that precede it; null:
   *   the newest.
   */
  events: (from: PageFrom): Promise<Outcome<{ items: ProviderEvent[]; hasMore: boolean }>> =>
    attempt(async () => {
      const page = await stripe.events.list({
        limit: 100,
        ...(from === null
          ? {}
          : 'after' in from
            ? { ending_before: from.after }
            : { starting_after: from.before }),
      });
      return done({ items: page.data.map(eventOf), hasMore: page.has_more });
    }),

  /**
   * The event of a webhook; null if its signature is wrong, it is older than five minutes, or it is not an
   * event. Any failure of the library is caused by the sender's data.
   */
  readWebhook(body: Buffer | string, signature: string): ProviderEvent | null {
    const now = clock.now().getTime();
    for (const secret of webhookSecrets) {
      try {
        return eventOf(stripe.webhooks.constructEvent(body, signature, secret, undefined, undefined, now));
      } catch {
        // Another secret may match.
      }
    }
    return null;
  },
});

/** The part of an event's object that is read: its kind, its id, and the payment behind it. */
const aboutSchema = z.object({
  object: z.string(),
  id: z.string().optional(),
  metadata: z.record(z.string(), z.string()).nullish().catch(null),
  payment_intent: z
    .union([z.string(), z.object({ id: z.string() })])
    .nullish()
    .catch(null),
});

function eventOf(event: Stripe.Event): ProviderEvent {
  const about = aboutSchema.parse(event.data.object);
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
