import { setTimeout as pause } from 'node:timers/promises';
import { appVersion } from '#contract/app/endpoints.ts';
import type { App } from '../../../app-type.ts';
import { later, minuteMs, secondMs } from '../../../platform/clock.ts';
import type { Db } from '../../../platform/database/db.ts';
import { errorText } from '../../../platform/error-text.ts';
import { postToPublicAddress, type ReceiverAnswer } from '../../../platform/http/post-to-public-address.ts';
import { noteDeed } from '../../../platform/security/audit-log.ts';
import { staffWith } from '../../identity/queries.ts';
import type { ConnectState } from '../state.ts';
import { webhookStoppedEmail } from './rules/emails.ts';
import { isStopped, nextTryAt, restsUntil } from './rules/retry.ts';
import { signedHeaders } from './rules/signature.ts';
import { secretsOf } from './manage-webhooks.ts';
import * as store from './store.ts';
import type { DeliveryRow, WebhookRow } from './store.ts';

/** How long a receiver may take to answer. */
const timeoutMs = 10 * secondMs;
/** How long one process holds a delivery; after that, the others assume that it has died. */
const leaseMs = minuteMs;
const leaseMoreMs = secondMs;
/**
 * How many deliveries are sent at the same time, and how many of these to one webhook, so that a receiver
 * that does not answer cannot block the others.
 */
const mostInFlight = 16;
const mostPerWebhook = 4;
/** How much of a receiver's error message is stored. */
const troubleLength = 300;

/** The result of one attempt. */
interface Outcome {
  status: number | null;
  trouble: string;
  retryAfterSeconds: number | null;
}

/** Sends due deliveries, each in one process at a time. */
export async function sendDueDeliveries(app: App): Promise<void> {
  const { db, clock } = app;
  const { inFlight } = app.connect;
  for (;;) {
    const wasIdle = inFlight.size === 0;
    const now = clock.now();
    const leased = await store.leaseDue(db, {
      now,
      leaseEndsAt: later(now, leaseMs),
      most: mostInFlight - inFlight.size,
      perWebhook: mostPerWebhook,
      inFlight: countsInFlight(inFlight),
    });
    // The query left out what was in flight; by now, all of it may have ended.
    if (wasIdle && leased.length === 0) return;
    for (const delivery of leased) begin(app, delivery);
    if (inFlight.size > 0)
      await Promise.race([...inFlight.keys(), pause(leaseMoreMs, undefined, { ref: false })]);
  }
}

/** Deliveries in flight, by webhook. */
function countsInFlight(inFlight: ConnectState['inFlight']): Map<string, number> {
  const byWebhook = Map.groupBy(inFlight.values(), (webhookId) => webhookId);
  return new Map([...byWebhook].map(([webhookId, { length }]) => [webhookId, length]));
}

function begin(app: App, delivery: DeliveryRow): void {
  const { inFlight } = app.connect;
  const work = tryDelivery(app, delivery)
    .catch((error: unknown) => app.log.error({ err: error, id: delivery.id }, 'a webhook delivery failed'))
    .finally(() => inFlight.delete(work));
  inFlight.set(work, delivery.webhookId);
}

/**
 * Makes one attempt, without an open transaction. If the process dies, the delivery waits for the end of its
 * lease.
 */
async function tryDelivery(app: App, delivery: DeliveryRow): Promise<void> {
  const webhook = await store.findWebhook(app.db, delivery.webhookId);
  if (webhook === null) return;
  const outcome = await post(app, webhook, delivery);
  const isTaken = outcome.status !== null && outcome.status >= 200 && outcome.status < 300;
  await app.transact('deliver webhook', (tx) =>
    isTaken
      ? noteTaken(app, tx, { webhook, delivery, outcome })
      : noteFailed(app, tx, { webhook, delivery, outcome }),
  );
}

async function post(
  { env, clock, seal }: App,
  webhook: WebhookRow,
  { id, body }: DeliveryRow,
): Promise<Outcome> {
  const at = clock.now();
  const secrets = await secretsOf(seal, webhook, at);
  const headers = {
    'content-type': 'application/json',
    'user-agent': `Sameway/${appVersion}`,
    ...signedHeaders({ id, body, at }, secrets),
  };
  try {
    const allowsLoopback = env.WEBHOOKS_TO_LOOPBACK;
    return wordsOf(await postToPublicAddress(webhook.url, { body, headers, timeoutMs, allowsLoopback }));
  } catch (error) {
    return { status: null, trouble: errorText(error).slice(0, troubleLength), retryAfterSeconds: null };
  }
}

const wordsOf = ({ status, text, retryAfterSeconds }: ReceiverAnswer): Outcome => ({
  status,
  // PostgreSQL cannot store a zero character.
  trouble: status >= 200 && status < 300 ? '' : text.replaceAll('\0', '').slice(0, troubleLength),
  retryAfterSeconds,
});

interface Tried {
  webhook: WebhookRow;
  delivery: DeliveryRow;
  outcome: Outcome;
}

async function noteTaken(
  { clock }: App,
  tx: Db,
  { webhook, delivery, outcome: { status } }: Tried,
): Promise<void> {
  await store.finishTry(tx, delivery, { state: 'delivered', status, trouble: '' });
  const lastDeliveredAt = clock.now();
  await store.updateWebhook(tx, webhook.id, { failingSince: null, restsUntil: null, lastDeliveredAt });
}

async function noteFailed(app: App, tx: Db, { webhook, delivery, outcome }: Tried): Promise<void> {
  const now = app.clock.now();
  const { status, trouble, retryAfterSeconds } = outcome;
  const nextAt = nextTryAt(delivery.tries, now, retryAfterSeconds);
  const set = { status, trouble, ...(nextAt === null ? { state: 'failed' as const } : { nextAt }) };
  // Another attempt was made meanwhile, by hand or after the lease ended: its result counts.
  if (!(await store.finishTry(tx, delivery, set))) return;
  // The row is locked by this write only, at the end: other attempts do not wait for each other.
  const rest = restsUntil({ status, failingSince: webhook.failingSince ?? now }, now);
  const failing = await store.noteFailing(tx, webhook.id, { now, restsUntil: rest });
  if (failing?.state === 'on' && isStopped({ status, failingSince: failing.failingSince }, now))
    await stop(app, tx, failing);
}

/** Turns a webhook off and emails the team members who manage webhooks. */
async function stop({ outbox, env, clock }: App, tx: Db, { id, name, url }: WebhookRow): Promise<void> {
  await store.updateWebhook(tx, id, { state: 'stopped' });
  await store.failWaiting(tx, id, 'The address was stopped.');
  const deed = { adminId: null, personId: null, thingId: id, note: `${name} (${url})` };
  await noteDeed(tx, { ...deed, action: 'webhook.stopped' }, clock.now());
  const facts = { name, url, openAt: `${env.publicUrl}/pages/admin/admin?view=connect` };
  for (const { email, language } of await staffWith(tx, 'webhooks.manage'))
    await outbox.post(tx, { to: email, ...webhookStoppedEmail(language, facts) });
}
