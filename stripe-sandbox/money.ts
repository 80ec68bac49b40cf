import type { Stripe } from 'stripe';
import { add, newId, secondsOf, type Call, type SandboxObject } from './objects.ts';

/** What the sandbox takes for a card payment: Stripe's published price for cards of the United States. */
export const processingFeeCents = (amountCents: number): number => Math.round((amountCents * 29) / 1000) + 30;

/** The fee of a dispute, in addition to its amount; given back where it is won. */
export const disputeFeeCents = 15_00;

/** Money that came in can be paid out two days later. */
export const settlesInSeconds = 2 * 86_400;

export interface Booking {
  account: string;
  type: Stripe.BalanceTransaction.Type;
  /** Signed: what comes in is positive. */
  amountCents: number;
  feeCents?: number;
  feeType?: 'stripe_fee' | 'application_fee';
  /** The word of reports, where its type does not say it. */
  category?: string;
  sourceId: string;
  /** Whether it waits until it can be paid out. */
  settlesLater?: boolean;
}

/** One line of an account's balance. */
export function book(
  call: Call,
  {
    account,
    type,
    amountCents,
    feeCents = 0,
    feeType = 'stripe_fee',
    category = reportingCategory(type),
    sourceId,
    settlesLater = true,
  }: Booking,
): string {
  const now = secondsOf(call.now);
  const line: SandboxObject<'balance_transaction'> = add(
    call,
    'balance_transaction',
    {
      id: newId('balance_transaction'),
      object: 'balance_transaction',
      amount: amountCents,
      available_on: settlesLater ? now + settlesInSeconds : now,
      balance_type: 'payments',
      created: now,
      currency: 'usd',
      description: null,
      exchange_rate: null,
      fee: feeCents,
      fee_details:
        feeCents === 0
          ? []
          : [{ amount: feeCents, application: null, currency: 'usd', description: null, type: feeType }],
      net: amountCents - feeCents,
      reporting_category: category,
      source: sourceId,
      status: settlesLater ? 'pending' : 'available',
      type,
    },
    { account },
  );
  return line.id;
}

function reportingCategory(type: string): string {
  const categories: Record<string, string> = {
    application_fee: 'fee',
    application_fee_refund: 'fee',
    payment: 'charge',
    payment_refund: 'refund',
    transfer_refund: 'transfer_reversal',
  };
  return categories[type] ?? type;
}
