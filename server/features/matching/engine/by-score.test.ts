import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { ByScore } from './by-score.ts';

test('slots come by the least score they may have, which is rounded down, and none is lost', () => {
  const scores = fc.oneof(
    fc.double({ min: 0, max: 500, noNaN: true }),
    fc.constantFrom(0, NaN, Infinity, 2 ** 40),
  );
  const waiting = new ByScore();
  fc.assert(
    fc.property(fc.array(scores, { maxLength: 3_000 }), (given) => {
      waiting.clear();
      given.forEach((score, at) => waiting.add(at * 7, score, at % 3 === 0));
      waiting.sort();
      const ranks = Array.from({ length: waiting.count }, (_, rank) => rank);
      expect(ranks.map((rank) => waiting.slot(rank)).toSorted((a, b) => a - b)).toEqual(
        given.map((_, at) => at * 7),
      );
      for (const rank of ranks) {
        const at = waiting.slot(rank) / 7;
        const score = given[at]!;
        expect(waiting.fits(rank)).toBe(at % 3 === 0);
        if (rank > 0) expect(waiting.atLeast(rank)).toBeGreaterThanOrEqual(waiting.atLeast(rank - 1));
        if (Number.isNaN(score)) expect(waiting.atLeast(rank)).toBe(0);
        else expect(waiting.atLeast(rank)).toBeLessThanOrEqual(score);
        if (score <= 500) expect(waiting.atLeast(rank)).toBeGreaterThan(score - 0.01);
      }
    }),
    { numRuns: 30 },
  );
});
