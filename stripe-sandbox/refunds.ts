import type { Stripe } from 'stripe';
import { z } from 'zod';
import { badParameter, notNow } from './api-error.ts';
import { isDisputed } from './disputes.ts';
import { book } from './money.ts';
import { cents, flag, listOf, metadata, paging, route, type Route } from './routing.ts';
import {
  add,
  idOf,
  look,
  newId,
  save,
  secondsOf,
  take,
  tell,
  type Call,
  type SandboxObject,
} from './objects.ts';
import { takeIntent } from './payment-moves.ts';
import { giveFeeBack, share, takeBack } from './transfers.ts';

type Charge = SandboxObject<'charge'>;

export const refundRoutes: readonly Route[] = [
  route(
    'POST',
    '/v1/refunds',
    {
      payment_intent: z.string().optional(),
      charge: z.string().optional(),
      amount: cents.pipe(z.number().min(1)).optional(),
      reason: z.enum(['duplicate', 'fraudulent', 'requested_by_customer']).optional(),
      reverse_transfer: flag.default(false),
      refund_application_fee: flag.default(false),
      metadata,
    },
    async (call, input) => {
      const charge = await chargeFor(call, input);
      const { body } = charge;
      const leftCents = body.amount - body.amount_refunded;
      if (body.refunded || leftCents === 0)
        throw notNow('charge_already_refunded', `Charge ${charge.id} has already been refunded.`);
      const amountCents = input.amount ?? leftCents;
      if (await isDisputed(call, charge))
        throw notNow('charge_disputed', `Charge ${charge.id} has been charged back; cannot issue a refund.`);
      if (amountCents > leftCents)
        throw notNow(
          'amount_too_large',
          `Refund amount (${amountCents}) is greater than unrefunded amount on charge (${leftCents})`,
          { param: 'amount' },
        );
      // Of what was captured, before and after: shares of the parts add up to the share of the whole, to the
      // cent.
      const before = refundedOfCaptured(body);
      body.amount_refunded += amountCents;
      body.refunded = body.amount_refunded === body.amount;
      const after = refundedOfCaptured(body);
      const reversal =
        input.reverse_transfer && body.transfer !== undefined
          ? await reverseTransfer(call, charge, before, after)
          : null;
      if (input.refund_application_fee && body.application_fee !== null)
        await refundFee(call, charge, before, after);
      const id = newId('refund');
      const refund = add(call, 'refund', {
        id,
        object: 'refund',
        amount: amountCents,
        balance_transaction: book(call, {
          account: call.account,
          type: 'refund',
          amountCents: -amountCents,
          sourceId: id,
          settlesLater: false,
        }),
        charge: charge.id,
        created: secondsOf(call.now),
        currency: 'usd',
        customer: null,
        customer_account: null,
        metadata: input.metadata ?? {},
        payment_intent: idOf(body.payment_intent),
        payment_method: body.payment_method,
        reason: input.reason ?? null,
        receipt_number: null,
        source_transfer_reversal: null,
        status: 'succeeded',
        transfer_reversal: reversal,
      });
      save(call, charge);
      tell(call, 'refund.created', refund);
      tell(call, 'charge.refunded', charge);
      return refund.body;
    },
  ),
  route(
    'GET',
    '/v1/refunds',
    { ...paging, charge: z.string().optional(), payment_intent: z.string().optional() },
    (call, input) =>
      listOf(call, 'refund', input, {
        url: '/v1/refunds',
        where: {
          charge: input.charge,
          payment_intent: input.payment_intent,
        },
      }),
  ),
  route('GET', '/v1/refunds/:id', {}, async (call, _input, id) => (await look(call, 'refund', id)).body),
];

async function chargeFor(
  call: Call,
  { payment_intent: intentId, charge: chargeId }: { payment_intent?: string; charge?: string },
): Promise<Charge> {
  if ((intentId === undefined) === (chargeId === undefined))
    throw badParameter('parameter_missing', 'payment_intent', 'One of payment_intent and charge is needed.');
  if (chargeId !== undefined) return requireCaptured(await take(call, 'charge', chargeId));
  const intent = await takeIntent(call, intentId!);
  const latest = idOf(intent.body.latest_charge);
  if (latest === null || intent.body.status !== 'succeeded')
    throw notNow(
      'charge_not_refundable',
      `This PaymentIntent (${intent.id}) does not have a successful charge to refund.`,
      { param: 'payment_intent' },
    );
  return requireCaptured(await take(call, 'charge', latest));
}

function requireCaptured(charge: Charge): Charge {
  if (!charge.body.captured)
    throw notNow('charge_not_refundable', 'A hold is let go by cancelling its PaymentIntent.', {
      param: 'charge',
    });
  return charge;
}

/** What of the captured money has gone back: the rest of a hold that was let go at capture does not count. */
const refundedOfCaptured = (body: Stripe.Charge): number =>
  body.amount_refunded - (body.amount - body.amount_captured);

/**
 * Takes a share of a destination charge's transfer back from its driver, as a part of its money goes back.
 */
async function reverseTransfer(call: Call, charge: Charge, before: number, after: number): Promise<string> {
  const { transfer: sent, amount_captured: captured } = charge.body;
  const transfer = await take(call, 'transfer', idOf(sent) ?? '');
  const amountCents =
    share(transfer.body.amount, after, captured) - share(transfer.body.amount, before, captured);
  if (transfer.body.amount_reversed + amountCents > transfer.body.amount)
    throw notNow('amount_too_large', 'The transfer behind this charge has been reversed already.', {
      param: 'reverse_transfer',
    });
  return (await takeBack(call, transfer, amountCents, {})).id;
}

async function refundFee(call: Call, charge: Charge, before: number, after: number): Promise<void> {
  const fee = await take(call, 'application_fee', idOf(charge.body.application_fee) ?? '');
  const captured = charge.body.amount_captured;
  await giveFeeBack(
    call,
    fee,
    share(fee.body.amount, after, captured) - share(fee.body.amount, before, captured),
  );
}
