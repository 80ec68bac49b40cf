import { array, assert, integer, property, record } from 'fast-check';
import { expect, test } from 'vitest';
import { ledgerLines, waivedLines, type LedgerLine, type MoneyFacts } from './ledger.ts';

const at = new Date('2026-11-20T12:00:00.000Z');
const nothing: MoneyFacts = { authorizedCents: 0, capturedCents: 0, refundedCents: 0, feeCents: 0 };
let entries = 0;
const of = { authorizationId: 'hold', at, newId: () => String(entries++) };

const accounts = (lines: readonly LedgerLine[]) => {
  const sums: Record<string, number> = {};
  for (const { account, cents } of lines) sums[account] = (sums[account] ?? 0) + cents;
  return sums;
};
const entrySums = (lines: readonly LedgerLine[]) => {
  const sums: Record<string, number> = {};
  for (const { entryId, cents } of lines) sums[entryId] = (sums[entryId] ?? 0) + cents;
  return Object.values(sums);
};

test('what is held, taken and given back of one payment', () => {
  const held = { ...nothing, authorizedCents: 2000 };
  const taken = { ...nothing, capturedCents: 1500, feeCents: 224 };
  const given = { ...taken, refundedCents: 500 };
  expect(accounts(ledgerLines(nothing, held, of))).toEqual({ 'cards.held': 2000, holds: -2000 });
  expect(accounts(ledgerLines(held, taken, of))).toEqual({
    'cards.held': -2000,
    holds: 2000,
    cards: 1500,
    drivers: -1276,
    fees: -224,
  });
  expect(accounts(ledgerLines(taken, given, of))).toEqual({ cards: -500, drivers: 425, fees: 75 });
  expect(ledgerLines(given, given, of)).toEqual([]);
});

test('what is waived is nobody’s money, and has its entry', () => {
  const lines = waivedLines(31, of);
  expect(accounts(lines)).toEqual({ waived: 31, 'drivers.waived': -31 });
  expect(entrySums(lines)).toEqual([0]);
});

test('every entry sums to zero, and the accounts come to what the facts say, along whatever way', () => {
  const facts = record({
    authorizedCents: integer({ min: 0, max: 500_00 }),
    capturedCents: integer({ min: 0, max: 500_00 }),
    part: integer({ min: 0, max: 100 }),
    fee: integer({ min: 0, max: 100 }),
  });
  assert(
    property(array(facts, { minLength: 1, maxLength: 8 }), (steps) => {
      let before = nothing;
      const lines: LedgerLine[] = [];
      for (const { authorizedCents, capturedCents, part, fee } of steps) {
        const after = {
          authorizedCents,
          capturedCents,
          refundedCents: Math.floor((capturedCents * part) / 100),
          feeCents: Math.floor((capturedCents * fee) / 100),
        };
        lines.push(...ledgerLines(before, after, of));
        before = after;
      }
      expect(new Set([...entrySums(lines), 0])).toEqual(new Set([0]));
      const sums = accounts(lines);
      expect(sums['cards.held'] ?? 0).toBe(before.authorizedCents);
      expect(sums['cards'] ?? 0).toBe(before.capturedCents - before.refundedCents);
    }),
  );
});
