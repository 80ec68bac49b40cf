import { z } from 'zod';
import { notNow } from './api-error.ts';
import { requirePayable } from './accounts.ts';
import { addTransfer } from './charges.ts';
import { book } from './money.ts';
import { cents, flag, listOf, metadata, paging, route, usd, words, type Route } from './routing.ts';
import { balanceOf, lockBalance } from './store.ts';
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

const amount = cents.pipe(z.number().min(1));

/** Money that goes to drivers' accounts, and what the platform takes back of it. */
export const transferRoutes: readonly Route[] = [
  route(
    'POST',
    '/v1/transfers',
    {
      amount,
      currency: usd,
      destination: z.string(),
      description: words(1000),
      transfer_group: words(500),
      metadata,
    },
    async (call, input) => {
      await requirePayable(call, input.destination);
      const tx = await call.objects.written();
      await lockBalance(tx, call.account);
      const { availableCents } = await balanceOf(tx, call.account, secondsOf(call.now));
      if (availableCents < input.amount)
        throw notNow('balance_insufficient', 'You have insufficient available funds in your account.');
      const paymentId = newId('charge').replace('ch_', 'py_');
      const transfer = addTransfer(call, {
        amountCents: input.amount,
        destination: input.destination,
        paymentId,
        sourceTransaction: null,
        group: input.transfer_group ?? null,
        metadata: input.metadata ?? {},
        description: input.description ?? null,
      });
      book(call, {
        account: input.destination,
        type: 'payment',
        amountCents: input.amount,
        sourceId: transfer.id,
        settlesLater: false,
      });
      return transfer.body;
    },
  ),
  route(
    'GET',
    '/v1/transfers',
    { ...paging, destination: z.string().optional(), transfer_group: z.string().optional() },
    (call, input) =>
      listOf(call, 'transfer', input, {
        url: '/v1/transfers',
        where: {
          destination: input.destination,
          transfer_group: input.transfer_group,
        },
      }),
  ),
  route('GET', '/v1/transfers/:id', {}, async (call, _input, id) => (await look(call, 'transfer', id)).body),

  route('GET', '/v1/application_fees', { ...paging, charge: z.string().optional() }, (call, input) =>
    listOf(call, 'application_fee', input, { url: '/v1/application_fees', where: { charge: input.charge } }),
  ),
  route(
    'GET',
    '/v1/application_fees/:id',
    {},
    async (call, _input, id) => (await look(call, 'application_fee', id)).body,
  ),

  route(
    'POST',
    '/v1/transfers/:id/reversals',
    {
      amount: amount.optional(),
      description: words(1000),
      refund_application_fee: flag.default(false),
      metadata,
    },
    async (call, input, id) => {
      const transfer = await take(call, 'transfer', id, { status: 404 });
      const { amount: wholeCents, amount_reversed: reversedCents } = transfer.body;
      const amountCents = input.amount ?? wholeCents - reversedCents;
      if (amountCents < 1 || amountCents > wholeCents - reversedCents)
        throw notNow(
          'amount_too_large',
          `Reversal amount (${amountCents}) is greater than the amount that is left of the transfer (${wholeCents - reversedCents}).`,
          { param: 'amount' },
        );
      const reversal = await takeBack(call, transfer, amountCents, input.metadata ?? {});
      if (input.refund_application_fee) await giveFeeOfTransferBack(call, transfer, reversedCents);
      return reversal.body;
    },
  ),
];

/**
 * The part of a whole that belongs to a part of something else; of growing parts the differences add up to
 * the whole.
 */
export const share = (wholeCents: number, partCents: number, ofCents: number): number =>
  Math.round((wholeCents * partCents) / ofCents);

/** Takes a part of a transfer back, however little its driver has left. */
export async function takeBack(
  call: Call,
  transfer: SandboxObject<'transfer'>,
  amountCents: number,
  given: Readonly<Record<string, string>>,
): Promise<SandboxObject<'transfer_reversal'>> {
  const id = newId('transfer_reversal');
  const common = { amountCents, sourceId: id, settlesLater: false };
  const reversal = add(call, 'transfer_reversal', {
    id,
    object: 'transfer_reversal',
    amount: amountCents,
    balance_transaction: book(call, {
      ...common,
      account: transfer.account,
      type: 'transfer_refund',
    }),
    created: secondsOf(call.now),
    currency: 'usd',
    destination_payment_refund: null,
    metadata: { ...given },
    source_refund: null,
    transfer: transfer.id,
  });
  const destination = idOf(transfer.body.destination) ?? '';
  book(call, {
    ...common,
    account: destination,
    type: 'payment_refund',
    amountCents: -amountCents,
  });
  transfer.body.amount_reversed += amountCents;
  transfer.body.reversed = transfer.body.amount_reversed === transfer.body.amount;
  transfer.body.reversals.data.unshift(reversal.body);
  save(call, transfer);
  tell(call, 'transfer.reversed', transfer);
  return reversal;
}

/** Gives a driver a part of the platform's fee back. */
export async function giveFeeBack(
  call: Call,
  fee: SandboxObject<'application_fee'>,
  amountCents: number,
): Promise<void> {
  if (amountCents === 0) return;
  const id = newId('fee_refund');
  const common = { type: 'application_fee_refund', sourceId: id, settlesLater: false } as const;
  const refund = add(call, 'fee_refund', {
    id,
    object: 'fee_refund',
    amount: amountCents,
    balance_transaction: book(call, { ...common, account: fee.account, amountCents: -amountCents }),
    created: secondsOf(call.now),
    currency: 'usd',
    fee: fee.id,
    metadata: {},
  });
  book(call, { ...common, account: idOf(fee.body.account) ?? '', amountCents });
  fee.body.amount_refunded += amountCents;
  fee.body.refunded = fee.body.amount_refunded === fee.body.amount;
  fee.body.refunds.data.unshift(refund.body);
  save(call, fee);
  tell(call, 'application_fee.refunded', fee);
}

/** The fee of a destination charge goes back in the measure in which its transfer did. */
async function giveFeeOfTransferBack(
  call: Call,
  transfer: SandboxObject<'transfer'>,
  reversedBeforeCents: number,
): Promise<void> {
  const sourceId = idOf(transfer.body.source_transaction);
  if (sourceId === null) return;
  const charge = await take(call, 'charge', sourceId);
  const feeId = idOf(charge.body.application_fee);
  if (feeId === null) return;
  const fee = await take(call, 'application_fee', feeId);
  const { amount: wholeCents, amount_reversed: reversedCents } = transfer.body;
  const dueCents =
    share(fee.body.amount, reversedCents, wholeCents) -
    share(fee.body.amount, reversedBeforeCents, wholeCents);
  await giveFeeBack(call, fee, Math.min(dueCents, fee.body.amount - fee.body.amount_refunded));
}
