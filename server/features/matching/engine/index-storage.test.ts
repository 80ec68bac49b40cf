import { randomUUID } from 'node:crypto';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Best } from './best.ts';
import { Slots } from './slots.ts';
import { Timetable, type Row } from './timetable.ts';

describe('slots', () => {
  test('keep the ids of many apart, whatever comes and goes', () => {
    const ids = Array.from({ length: 400 }, (_, i) =>
      // Ids that differ in one place only fall upon each other most.
      i % 2 === 0 ? randomUUID() : `00000000-0000-4000-8000-${i.toString(16).padStart(12, '0')}`,
    );
    fc.assert(
      fc.property(fc.array(fc.nat(ids.length - 1), { maxLength: 3000 }), (steps) => {
        const slots = new Slots(4);
        const known = new Map<string, number>();
        for (const step of steps) {
          const id = ids[step]!;
          if (known.has(id)) {
            slots.give(id);
            known.delete(id);
          } else known.set(id, slots.take(id));
        }
        expect(slots.size).toBe(known.size);
        expect(new Set(known.values()).size).toBe(known.size);
        for (const id of ids) expect(slots.find(id)).toBe(known.get(id) ?? -1);
        for (const [id, slot] of known) expect(slots.idOf(slot)).toBe(id);
      }),
      { numRuns: 50 },
    );
  });
});

describe('the timetable', () => {
  test('hands over every order that may be on its way in a span of time', () => {
    const order = fc.record({
      earliest: fc.nat(200_000),
      flex: fc.nat(3_600),
      span: fc.nat(30_000),
      isGone: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(order), fc.nat(220_000), fc.nat(20_000), (orders, from, length) => {
        const table = new Timetable();
        const rows = orders.map(({ earliest, flex, span }, slot): Row => ({
          slot,
          earliest,
          latest: earliest + flex,
          span,
          fromCell: slot % 7,
          toCell: 0,
          leaving: 0,
          entering: 0,
          driving: 0,
          seats: 1,
          kind: 0,
        }));
        for (const row of rows) table.add(row);
        for (const { slot } of rows.filter((row) => orders[row.slot]!.isGone)) table.remove(slot);
        const seen = new Set<number>();
        table.scan(from, from + length, (at, count) => {
          for (let i = 0; i < count; i++) {
            expect(at.fromCell[i]).toBe(at.slot[i]! % 7);
            expect(seen.has(at.slot[i]!)).toBe(false);
            seen.add(at.slot[i]!);
          }
        });
        for (const { slot, earliest, latest, span } of rows) {
          if (orders[slot]!.isGone) expect(seen.has(slot)).toBe(false);
          else if (earliest <= from + length && latest + span >= from) expect(seen.has(slot)).toBe(true);
        }
      }),
    );
  });
});

test('the best few are those that sorting finds, equals in the order they came', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(50)), fc.integer({ min: 1, max: 10 }), (scores, most) => {
      const best = new Best<{ score: number; at: number }>(most, ({ score }) => score);
      const all = scores.map((score, at) => ({ score, at }));
      for (const each of all) best.add(each);
      expect(best.sorted()).toEqual(all.toSorted((a, b) => a.score - b.score).slice(0, most));
    }),
  );
});
