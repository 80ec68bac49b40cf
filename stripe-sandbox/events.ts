import { createHmac } from 'node:crypto';
import { z } from 'zod';
import { hourMs, later, minuteMs, secondMs } from './clock.ts';
import type { Db } from './schema.ts';
import { listOf, paging, route, type Route } from './routing.ts';
import { noteDelivery, takeDeliveries, type Delivery } from './store.ts';
import { look } from './objects.ts';

export const eventRoutes: readonly Route[] = [
  route(
    'GET',
    '/v1/events',
    { ...paging, type: z.string().optional(), types: z.array(z.string()).max(20).optional() },
    (call, input) =>
      listOf(call, 'event', input, { url: '/v1/events', where: { type: input.type }, types: input.types }),
  ),
  route('GET', '/v1/events/:id', {}, async (call, _input, id) => (await look(call, 'event', id)).body),
];

export interface Webhook {
  url: string;
  secret: string;
}

/** How long after each failed try the next one follows; after the last one the event is only listed. */
const pausesMs = [
  5 * secondMs,
  30 * secondMs,
  5 * minuteMs,
  30 * minuteMs,
  2 * hourMs,
  5 * hourMs,
  10 * hourMs,
];
const answerWithinMs = 10 * secondMs;
const mostAtOnce = 20;

/** `Stripe-Signature` of a body: the instant it was sent, and both sealed with the secret. */
export function signatureOf(payload: string, secret: string, at: Date): string {
  const seconds = Math.floor(at.getTime() / 1000);
  const seal = createHmac('sha256', secret).update(`${seconds}.${payload}`).digest('hex');
  return `t=${seconds},v1=${seal}`;
}

/**
 * Posts what is due to the webhook, side by side, so that nothing promises an order. Anything but a 2xx
 * answer is tried again with growing pauses; a process that dies on the way leaves it due.
 */
export async function deliverEvents(db: Db, webhook: Webhook, now: Date): Promise<void> {
  const taken = await db.transaction((tx) =>
    takeDeliveries(tx, now, later(now, answerWithinMs + pausesMs[0]!), mostAtOnce),
  );
  await Promise.all(taken.map((delivery) => deliver(db, webhook, now, delivery)));
}

async function deliver(db: Db, webhook: Webhook, now: Date, { eventId, attempts, event }: Delivery) {
  const payload = JSON.stringify(event, null, 2);
  try {
    const answer = await fetch(webhook.url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json; charset=utf-8',
        'stripe-signature': signatureOf(payload, webhook.secret, now),
        'user-agent': 'Stripe/1.0 (+https://stripe.com/docs/webhooks) sandbox',
      },
      body: payload,
      redirect: 'manual',
      signal: AbortSignal.timeout(answerWithinMs),
    });
    await answer.body?.cancel();
    if (answer.ok) return await noteDelivery(db, eventId, { nextAt: null, deliveredAt: now });
  } catch {
    // No receiver, or not in time: the same as an answer that refuses.
  }
  const pauseMs = pausesMs[attempts - 1];
  await noteDelivery(db, eventId, {
    nextAt: pauseMs === undefined ? null : later(now, pauseMs),
    deliveredAt: null,
  });
}
