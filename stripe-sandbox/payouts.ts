import type { Stripe } from 'stripe';
import { z } from 'zod';
import { dayMs } from './clock.ts';
import { notNow } from './api-error.ts';
import { book } from './money.ts';
import { cents, listOf, metadata, paging, route, usd, words, type Route } from './routing.ts';
import { balanceOf, lockBalance } from './store.ts';
import { add, look, newId, save, secondsOf, tell, type Call, type SandboxObject } from './objects.ts';

const amount = cents.pipe(z.number().min(1));

/** Balances, their lines, and payouts: what a driver's earnings are made of, and the platform's. */
export const payoutRoutes: readonly Route[] = [
  route('GET', '/v1/balance', {}, async (call): Promise<Stripe.Balance> => {
    const { availableCents, pendingCents } = await balanceOf(
      await call.objects.written(),
      call.account,
      secondsOf(call.now),
    );
    const line = (cents: number) => [{ amount: cents, currency: 'usd', source_types: { card: cents } }];
    return {
      object: 'balance',
      available: line(availableCents),
      livemode: false,
      pending: line(pendingCents),
    };
  }),
  route(
    'GET',
    '/v1/balance_transactions',
    { ...paging, type: z.string().optional(), source: z.string().optional() },
    async (call, input) => {
      const list = await listOf(call, 'balance_transaction', input, {
        url: '/v1/balance_transactions',
        where: {
          type: input.type,
          source: input.source,
        },
      });
      return { ...list, data: list.data.map((line) => asOfNow(call, line)) };
    },
  ),
  route('GET', '/v1/balance_transactions/:id', {}, async (call, _input, id) =>
    asOfNow(call, (await look(call, 'balance_transaction', id)).body),
  ),

  route(
    'POST',
    '/v1/payouts',
    { amount, currency: usd, description: words(1000), method: z.literal('standard').optional(), metadata },
    async (call, input) => {
      const tx = await call.objects.written();
      await lockBalance(tx, call.account);
      const { availableCents } = await balanceOf(tx, call.account, secondsOf(call.now));
      if (availableCents < input.amount)
        throw notNow(
          'balance_insufficient',
          'You have insufficient funds in your Stripe account for this transfer.',
        );
      const payout = addPayout(call, input.amount, false);
      payout.body.metadata = input.metadata ?? {};
      payout.body.description = input.description ?? payout.body.description;
      save(call, payout);
      return payout.body;
    },
  ),
  route('GET', '/v1/payouts', { ...paging, status: z.string().optional() }, (call, input) =>
    listOf(call, 'payout', input, { url: '/v1/payouts', where: { status: input.status } }),
  ),
  route('GET', '/v1/payouts/:id', {}, async (call, _input, id) => (await look(call, 'payout', id)).body),
];

/** A line that has waited long enough can be paid out. */
const asOfNow = (call: Call, line: Stripe.BalanceTransaction): Stripe.BalanceTransaction => ({
  ...line,
  status: line.available_on <= secondsOf(call.now) ? 'available' : 'pending',
});

const payoutTakesMs = 2 * dayMs;

/** Sends money of an account to its owner's bank, where it arrives two days later. */
export function addPayout(call: Call, amountCents: number, isAutomatic: boolean): SandboxObject<'payout'> {
  const id = newId('payout');
  const arrivesAt = new Date(call.now.getTime() + payoutTakesMs);
  const payout = add(
    call,
    'payout',
    {
      id,
      object: 'payout',
      amount: amountCents,
      application_fee: null,
      application_fee_amount: null,
      arrival_date: secondsOf(arrivesAt),
      automatic: isAutomatic,
      balance_transaction: book(call, {
        account: call.account,
        type: 'payout',
        amountCents: -amountCents,
        sourceId: id,
        settlesLater: false,
      }),
      created: secondsOf(call.now),
      currency: 'usd',
      description: 'STRIPE PAYOUT',
      destination: null,
      failure_balance_transaction: null,
      failure_code: null,
      failure_message: null,
      livemode: false,
      metadata: {},
      method: 'standard',
      original_payout: null,
      payout_method: null,
      reconciliation_status: isAutomatic ? 'completed' : 'not_applicable',
      reversed_by: null,
      source_type: 'card',
      statement_descriptor: null,
      status: 'in_transit',
      trace_id: null,
      type: 'bank_account',
    },
    { dueAt: arrivesAt },
  );
  tell(call, 'payout.created', payout);
  return payout;
}

/** The money has arrived. */
export async function endPayout(call: Call, payout: SandboxObject<'payout'>): Promise<void> {
  payout.dueAt = null;
  payout.body.status = 'paid';
  save(call, payout);
  tell(call, 'payout.paid', payout);
}
