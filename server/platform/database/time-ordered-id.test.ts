import { expect, test } from 'vitest';
import { timeOrderedId } from './time-ordered-id.ts';

test('an id begins with its instant, is of version 7, and differs from others of that instant', () => {
  // The example of RFC 9562, A.6.
  const at = new Date('2022-02-22T19:22:22.000Z');
  const ids = Array.from({ length: 100 }, () => timeOrderedId(at));
  for (const id of ids) expect(id).toMatch(/^017f22e2-79b0-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
  expect(new Set(ids).size).toBe(100);
  expect(timeOrderedId(new Date(at.getTime() + 1)) > ids.toSorted().at(-1)!).toBe(true);
});
