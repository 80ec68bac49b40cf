import { afterAll, beforeAll, expect, test } from 'vitest';
import { listDeliveries, saveWebhook, testWebhook } from '#contract/connect/webhooks.ts';
import { reportPerson } from '#contract/contacts/endpoints.ts';
import { testCacheFolder } from '../../../testing/cache-folder.ts';
import { addressOf } from '../../../testing/database.ts';
import { freePort, startServerProcess, type ServerProcess } from '../../../testing/server-process.ts';
import { openTestApp, type TestApp } from '../../../testing/test-app.ts';
import { isSignedWith, openWebhookSink, type WebhookSink } from '../../../testing/webhook-sink.ts';

// Calls are made here; real processes on the same database send the deliveries, and are killed.
let app: TestApp;
let sink: WebhookSink;
let running: ServerProcess | null = null;
beforeAll(async () => {
  app = await openTestApp({ env: { WEBHOOKS_TO_LOOPBACK: '1' } });
  sink = await openWebhookSink();
});
afterAll(async () => {
  await running?.stop();
  await sink.close();
  await app.close();
});

async function start(): Promise<void> {
  running = await startServerProcess(await freePort(), {
    DATABASE_URL: addressOf(app.pool),
    DATA_DIR: testCacheFolder,
    WEBHOOKS_TO_LOOPBACK: '1',
    LOG_LEVEL: 'error',
  });
}

const waits = { timeout: 60_000, interval: 50 };

test('if a process is killed while sending, or before reading an event, the next one sends both with the same id', async () => {
  const owner = await app.person('Owner', { staffRole: 'owner' });
  const [a, b] = [await app.person('A'), await app.person('B')];
  const input = { name: 'Ours', url: sink.url, events: ['report.filed' as const] };
  const { webhook, secret } = await app.ok(owner, saveWebhook, input);
  sink.answer = 'never';
  await start();
  const { delivery } = await app.ok(owner, testWebhook, { id: webhook.id });
  await expect.poll(() => sink.received.length, waits).toBe(1);
  await running!.kill();

  // No process reads this event yet.
  await app.ok(a, reportPerson, { id: b.id, reason: 'spam', words: '' });
  sink.answer = 204;
  // The lease of the killed process has ended.
  await app.pool.query(`update webhook_deliveries set next_at = now() where state = 'waiting'`);
  await start();
  await expect.poll(() => sink.received.length, waits).toBe(3);
  const told = sink.received.map(({ id, body }) => [body.type, id]);
  expect(told.filter(([type]) => type === 'test')).toEqual([
    ['test', delivery.id],
    ['test', delivery.id],
  ]);
  expect(told.filter(([type]) => type === 'report.filed')).toHaveLength(1);
  expect(sink.received.every((each) => isSignedWith(each, secret!))).toBe(true);
  const log = async () => (await app.ok(owner, listDeliveries, { webhookId: webhook.id })).deliveries;
  await expect
    .poll(async () => (await log()).map(({ state }) => state), waits)
    .toEqual(['delivered', 'delivered']);
  expect((await log()).map(({ tries }) => tries).toSorted((x, y) => x - y)).toEqual([1, 2]);
});
