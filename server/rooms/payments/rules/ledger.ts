import { feeBackOf } from './fees.ts';

export interface LedgerLine {
  entryId: string;
  account: string;
  cents: number;
  holdId: string;
  what: 'held' | 'let go' | 'taken' | 'refunded';
  at: Date;
}

/** What the provider says of a hold's money. */
export interface MoneyFacts {
  heldCents: number;
  takenCents: number;
  refundedCents: number;
  feeCents: number;
}

/**
 * The entries that lead from what is written of a hold to what the provider says now. Accounts: `holds` against
 * `cards.held` (what stands on cards and is nobody's yet), `cards` (what was taken from them), `drivers` and `fees`
 * (whose it became). The lines of each entry sum to zero.
 */
export function ledgerLines(
  before: MoneyFacts,
  after: MoneyFacts,
  of: { holdId: string; at: Date; newId: () => string },
): LedgerLine[] {
  const { holdId, at } = of;
  const lines: LedgerLine[] = [];
  const enter = (what: LedgerLine['what'], amounts: Record<string, number>) => {
    const entryId = of.newId();
    for (const [account, cents] of Object.entries(amounts))
      if (cents !== 0) lines.push({ entryId, account, cents, holdId, what, at });
  };
  const held = after.heldCents - before.heldCents;
  if (held !== 0) enter(held > 0 ? 'held' : 'let go', { 'cards.held': held, holds: -held });
  const taken = after.takenCents - before.takenCents;
  const fee = after.feeCents - before.feeCents;
  if (taken !== 0 || fee !== 0) enter('taken', { cards: taken, drivers: -(taken - fee), fees: -fee });
  const refunded = after.refundedCents - before.refundedCents;
  if (refunded !== 0) {
    const feeBack = feeBackOf(after.feeCents, after.takenCents, {
      beforeCents: before.refundedCents,
      afterCents: after.refundedCents,
    });
    enter('refunded', { cards: -refunded, drivers: refunded - feeBack, fees: feeBack });
  }
  return lines;
}
