import { createHmac, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { paymentMethods } from '#contract/payments/endpoints.ts';
import { minuteMs } from '../../platform/clock.ts';
import { webhookPath } from '../../features/payments/routes.ts';
import { openAccessFixture, type AccessFixture } from '../access-fixture.ts';
import { owedPayment } from '../access-records.ts';
import { addCard } from '../money.ts';
import { openTestApp, type TestApp } from '../test-app.ts';
import { hostileTexts } from './hostile.ts';
import { leaksIn } from './leaks.ts';
import { printCounts } from './report.ts';

// Messages that claim to come from the card provider. `features/identity/oauth.db.test.ts` tests forged
// answers of a sign-in provider.

let app: TestApp;
let fixture: AccessFixture;
let secret = '';
let foreignSecret = '';
const counts: Record<string, number> = { refused: 0, 'without an effect': 0 };
beforeAll(async () => {
  app = await openTestApp({ startsAt: new Date('2026-11-23T17:00:00Z') });
  const other = await openTestApp();
  const derived = ({ platform }: TestApp) => platform.signedTokens.derive('sandbox', 'webhook');
  [secret, foreignSecret] = [`whsec_${await derived(app)}`, `whsec_${await derived(other)}`];
  await other.close();
  fixture = await openAccessFixture(app, 'joined');
  await addCard(app, fixture.people.passenger);
  await owedPayment(fixture);
});
afterAll(async () => {
  await app.close();
  printCounts('webhooks', counts);
});

/** Seconds since 1970, this many minutes from now. */
const stampIn = (minutes: number) => Math.floor((app.clock.now().getTime() + minutes * minuteMs) / 1000);

const signatureOf = (body: string, key: string, stamp: number) =>
  createHmac('sha256', key).update(`${stamp}.${body}`).digest('hex');

const signed = (body: string, key = secret, minutes = 0): string => {
  const stamp = stampIn(minutes);
  return `t=${stamp},v1=${signatureOf(body, key, stamp)}`;
};

const send = (body: string, signature: string | null, type = 'application/json') =>
  app.http.inject({
    method: 'POST',
    url: webhookPath,
    payload: body,
    headers: { 'content-type': type, ...(signature !== null && { 'stripe-signature': signature }) },
  });

const eventOf = (type: string, object: object, more: object = {}) =>
  JSON.stringify({
    id: `evt_${randomUUID()}`,
    object: 'event',
    type,
    created: stampIn(0),
    data: { object },
    ...more,
  });

/** The contents of all tables with money. */
async function money(): Promise<string> {
  const parts = [
    'authorizations',
    'cards',
    'ledger_lines',
    'claims',
    'chargebacks',
    'payment_accounts',
    'bookings',
  ];
  const asked = parts.map(
    (table) =>
      `select '${table}' as name, coalesce(md5(string_agg(t::text, '' order by t::text)), '') as stands from ${table} t`,
  );
  return JSON.stringify((await app.pool.query(asked.join(' union all '))).rows);
}

const kept = async () => {
  const { rows } = await app.pool.query<{ count: string }>('select count(*) as count from provider_events');
  return Number(rows[0]!.count);
};

test('only events that the provider signed, recently and over exactly these bytes, are accepted', async () => {
  const body = eventOf('payment_intent.succeeded', { id: 'pi_1', object: 'payment_intent' });
  const stamp = stampIn(0);
  const right = signatureOf(body, secret, stamp);
  const before = [await money(), await kept()];
  const tries: [string, string | null, string?][] = [
    [body, null],
    [body, ''],
    [body, 't=,v1='],
    [body, `t=${stamp}`],
    [body, `v1=${right}`],
    [body, `t=${stamp},v0=${right}`],
    [body, `t=${stamp},v1=${right.slice(0, -1)}`],
    [body, `t=${stamp},v1=${right.slice(0, -2)}00`],
    [body, `t=${stamp},v1=${'0'.repeat(64)}`],
    [body, `t=${stamp + 1},v1=${right}`],
    [body, `t=0x${stamp.toString(16)},v1=${right}`],
    [body, `t=${stamp}.0,v1=${signatureOf(body, '', stamp)}`],
    [body, signed(body, '')],
    [body, signed(body, 'whsec_test')],
    [body, signed(body, foreignSecret)],
    [body, signed(body, secret, -6)],
    [body, signed(body, secret, -60 * 24)],
    [`${body} `, signed(body)],
    [body.replace('pi_1', 'pi_2'), signed(body)],
    ['', signed(body)],
    [body, signed('')],
    ...hostileTexts
      .filter((text) => /^[\x20-\x7e]*$/.test(text))
      .map((text): [string, string] => [body, `t=${stamp},v1=${text}`]),
  ];
  for (const [sent, signature, type] of tries) {
    const answer = await send(sent, signature, type);
    expect(answer.statusCode, `${signature}`).toBe(400);
    expect(answer.body).toBe('No.');
    counts['refused'] = (counts['refused'] ?? 0) + 1;
  }
  expect([await money(), await kept()]).toEqual(before);
});

test('facts about money, accounts and cards are read from the provider, not from the event', async () => {
  const { bookingId, people } = fixture;
  const { rows } = await app.pool.query<{ id: string }>(
    'select id from authorizations where booking_id = $1',
    [bookingId],
  );
  const before = await money();
  const [hold] = rows;
  const objects: [string, object, object?][] = [
    ['payment_intent.succeeded', { id: 'pi_none', object: 'payment_intent', amount: 1, status: 'succeeded' }],
    [
      'payment_intent.succeeded',
      { id: 'pi_of_another', object: 'payment_intent', metadata: { hold: hold!.id }, amount_received: 1 },
    ],
    ['charge.refunded', { id: 'ch_1', object: 'charge', payment_intent: 'pi_none', amount_refunded: 900 }],
    ['charge.dispute.created', { id: 'du_none', object: 'dispute', payment_intent: 'pi_none', amount: 900 }],
    [
      'account.updated',
      { id: 'acct_none', object: 'account', charges_enabled: true },
      { account: 'acct_none' },
    ],
    ['customer.deleted', { id: 'cus_none', object: 'customer' }],
    ['setup_intent.succeeded', { id: 'seti_none', object: 'setup_intent', customer: 'cus_none' }],
    ['payout.paid', { id: 'po_1', object: 'payout' }, { account: 'acct_of_another' }],
    ['unknown.thing', { id: 'x', object: '__proto__' }],
    ['unknown.thing', { object: 'payment_intent' }],
    [
      'payment_intent.succeeded',
      { id: "pi_' or 1=1", object: 'payment_intent', metadata: { hold: "' or 1=1" } },
    ],
  ];
  for (const [type, object, more] of objects) {
    const body = eventOf(type, object, more);
    const answer = await send(body, signed(body));
    expect(answer.statusCode, `${type}: ${answer.body}`).toBeLessThan(500);
    expect(leaksIn(answer.body)).toEqual([]);
    counts['without an effect'] = (counts['without an effect'] ?? 0) + 1;
  }
  expect(await money()).toBe(before);
  expect((await app.ok(people.passenger, paymentMethods, {})).methods).toHaveLength(1);
});

test('the same event a hundred times is kept once', async () => {
  const body = eventOf('customer.updated', { id: 'cus_none', object: 'customer' });
  const before = await kept();
  const signature = signed(body);
  const answers = await Promise.all(Array.from({ length: 100 }, () => send(body, signature)));
  expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([200]));
  expect(await kept()).toBe(before + 1);
  counts['replayed'] = answers.length;
  app.clock.advance(6 * minuteMs);
  expect((await send(body, signature)).statusCode).toBe(400);
});

test('signed bodies that are not events are refused or stored, and crash nothing', async () => {
  for (const body of [
    'null',
    '[]',
    '7',
    '"x"',
    '{}',
    '{"id":1}',
    '{"data":{}}',
    '{"data":{"object":{}}}',
    '{',
    '',
    '\0',
  ]) {
    const answer = await send(body, signed(body));
    expect(answer.statusCode, `${body}: ${answer.body}`).toBeLessThan(500);
    expect(leaksIn(answer.body)).toEqual([]);
    counts['signed nonsense'] = (counts['signed nonsense'] ?? 0) + 1;
  }
});
