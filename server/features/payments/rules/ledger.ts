import { feeBackOf } from './fees.ts';

/** The subject of an entry of the ledger: an authorization's money, or a line of the provider's balance. */
export type LedgerEntryKind =
  | 'held'
  | 'let go'
  | 'taken'
  | 'refunded'
  | 'charged back'
  | 'sent again'
  | 'balance'
  | 'waived'
  | 'written off';

export interface LedgerLine {
  entryId: string;
  account: string;
  cents: number;
  /** Null in an entry about a line of the provider's balance. */
  authorizationId: string | null;
  what: LedgerEntryKind;
  at: Date;
}

interface NewEntry {
  authorizationId: string;
  at: Date;
  newId: () => string;
}

/** The provider's facts of an authorization's money. */
export interface MoneyFacts {
  authorizedCents: number;
  capturedCents: number;
  refundedCents: number;
  feeCents: number;
}

/**
 * The entries that lead from what is written of an authorization to what the provider says now. Accounts:
 * `holds` against `cards.held` (what is authorized on cards), `cards` (what was captured from them),
 * `drivers` and `fees` (whose it became). The lines of each entry sum to zero.
 */
export function ledgerLines(before: MoneyFacts, after: MoneyFacts, of: NewEntry): LedgerLine[] {
  const { authorizationId, at } = of;
  const lines: LedgerLine[] = [];
  const enter = (what: LedgerLine['what'], amounts: Record<string, number>) => {
    const entryId = of.newId();
    for (const [account, cents] of Object.entries(amounts))
      if (cents !== 0) lines.push({ entryId, account, cents, authorizationId, what, at });
  };
  const held = after.authorizedCents - before.authorizedCents;
  if (held !== 0) enter(held > 0 ? 'held' : 'let go', { 'cards.held': held, holds: -held });
  const taken = after.capturedCents - before.capturedCents;
  const fee = after.feeCents - before.feeCents;
  if (taken !== 0 || fee !== 0) enter('taken', { cards: taken, drivers: -(taken - fee), fees: -fee });
  const refunded = after.refundedCents - before.refundedCents;
  if (refunded !== 0) {
    const feeBack = feeBackOf(after.feeCents, after.capturedCents, {
      beforeCents: before.refundedCents,
      afterCents: after.refundedCents,
    });
    enter('refunded', { cards: -refunded, drivers: refunded - feeBack, fees: feeBack });
  }
  return lines;
}

/** The entry of what is owed and not captured, because card providers charge no amount as small. */
export const waivedLines = (cents: number, of: NewEntry): LedgerLine[] =>
  unpaidLines('waived', 'waived', cents, of);

/** The entry of a debt that an admin has written off: the driver gets nothing for it. */
export const writtenOffLines = (cents: number, of: NewEntry): LedgerLine[] =>
  unpaidLines('written off', 'writtenOff', cents, of);

function unpaidLines(what: LedgerEntryKind, account: string, cents: number, of: NewEntry): LedgerLine[] {
  const line = { entryId: of.newId(), authorizationId: of.authorizationId, what, at: of.at };
  return [
    { ...line, account, cents },
    { ...line, account: `drivers.${account}`, cents: -cents },
  ];
}

/**
 * The entry for a payment that its bank has taken back: the driver's part and the platform's fee become what
 * the bank owes (`disputes`). `sent again` is the other way round, after the chargeback is won.
 */
export function chargebackLines(
  what: 'charged back' | 'sent again',
  { reversedCents, feeBackCents }: { reversedCents: number; feeBackCents: number },
  of: NewEntry,
): LedgerLine[] {
  const sign = what === 'charged back' ? 1 : -1;
  const entryId = of.newId();
  const amounts = {
    drivers: sign * (reversedCents - feeBackCents),
    fees: sign * feeBackCents,
    disputes: -sign * reversedCents,
  };
  return Object.entries(amounts).flatMap(([account, cents]) =>
    cents === 0 ? [] : [{ entryId, account, cents, authorizationId: of.authorizationId, what, at: of.at }],
  );
}
