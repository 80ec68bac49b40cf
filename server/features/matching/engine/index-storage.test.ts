import { randomUUID } from 'node:crypto';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Best } from './best.ts';
import { Slots } from './slots.ts';
import {
  anywhere,
  Areas,
  at,
  highHalf,
  kindOf,
  lowHalf,
  rowWords,
  seatsOf,
  Timetable,
  type Row,
} from './timetable.ts';

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

interface DrawnOrder {
  earliest: number;
  flex: number;
  span: number;
  cells: number[];
  driving: number;
  isGone: boolean;
}

const cellCount = 17;
const order = fc.record<DrawnOrder>({
  earliest: fc.nat(2_000),
  flex: fc.nat(3_600),
  span: fc.nat(30_000),
  cells: fc.array(fc.nat(cellCount - 1), { minLength: 1, maxLength: 3 }),
  driving: fc.integer({ min: -100, max: 5_000 }),
  isGone: fc.boolean(),
});
const areas = new Areas(cellCount);
const rowsOf = (orders: readonly DrawnOrder[]): Row[] =>
  orders.map(({ earliest, flex, span, cells, driving }, slot) => ({
    slot,
    earliest,
    latest: earliest + flex,
    span,
    fromCell: cells[0]!,
    toCell: 65_535 - slot,
    leaving: 65_535,
    entering: slot,
    driving,
    seats: slot % 9,
    kind: slot % 3,
    area: areas.ofAll(cells),
  }));

describe('the timetable', () => {
  test('hands over every order that may be on its way in a span of time, however it is divided', () => {
    const many = fc.array(order, { minLength: 0, maxLength: 2_500, size: 'max' });
    fc.assert(
      fc.property(many, fc.nat(30_000), fc.nat(20_000), fc.boolean(), (orders, from, length, isKept) => {
        const filled = new Timetable(areas.depth);
        const rows = rowsOf(orders);
        for (const row of rows) filled.add(row);
        for (const { slot } of rows.filter((row) => orders[row.slot]!.isGone)) filled.remove(slot);
        const table = isKept ? new Timetable(areas.depth) : filled;
        if (isKept) table.restore(filled.store());
        const seen = new Set<number>();
        table.scan({ from, until: from + length }, (words, end) => {
          for (let row = 0; row < end; row += rowWords) {
            const { slot, toCell, area, ...fields } = rows[words[row + at.slot]!]!;
            expect(seen.has(slot)).toBe(false);
            seen.add(slot);
            expect(highHalf(words[row + at.cells]!)).toBe(toCell);
            expect(words[row + at.rest]! >>> 16).toBe(area);
            expect({
              earliest: words[row + at.earliest],
              latest: words[row + at.latest],
              span: words[row + at.span],
              fromCell: lowHalf(words[row + at.cells]!),
              leaving: lowHalf(words[row + at.inCells]!),
              entering: highHalf(words[row + at.inCells]!),
              driving: words[row + at.driving],
              seats: seatsOf(words[row + at.rest]!),
              kind: kindOf(words[row + at.rest]!),
            }).toEqual(fields);
          }
        });
        for (const { slot, earliest, latest, span } of rows) {
          if (orders[slot]!.isGone) expect(seen.has(slot)).toBe(false);
          else if (earliest <= from + length && latest + span >= from) expect(seen.has(slot)).toBe(true);
        }
      }),
      { numRuns: 25 },
    );
  });

  test('skips nothing that an area does not bound, and tells of each table what holds for its rows', () => {
    const many = fc.array(order, { minLength: 1_000, maxLength: 2_500, size: 'max' });
    const bounds = fc.array(fc.nat(5_000), { minLength: cellCount, maxLength: cellCount });
    fc.assert(
      fc.property(many, bounds, fc.nat(5_000), (orders, byCell, most) => {
        const table = new Timetable(areas.depth);
        const rows = rowsOf(orders);
        for (const row of rows) table.add(row);
        const least = areas.least(Int32Array.from(byCell));
        const seen = new Set<number>();
        const skips = (area: number, mostDriving: number): boolean =>
          least[area]! > Math.min(most, mostDriving);
        table.scan({ from: 0, until: 40_000, skips }, (words, end) => {
          for (let row = 0; row < end; row += rowWords) seen.add(words[row + at.slot]!);
        });
        for (const { slot, area, driving } of rows) {
          const nearest = Math.min(...orders[slot]!.cells.map((cell) => byCell[cell]!));
          if (area === anywhere || nearest <= Math.min(most, driving)) expect(seen.has(slot)).toBe(true);
        }
      }),
      { numRuns: 25 },
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
