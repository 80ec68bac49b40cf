import { expect, test } from 'vitest';
import { z } from 'zod';
import { Refusal } from '../refusal.ts';
import { checkInput } from './check-input.ts';

const schema = z.object({ words: z.string(), more: z.unknown() });
const nested = (open: string, inner: string, close: string, levels: number): unknown =>
  JSON.parse(open.repeat(levels) + inner + close.repeat(levels));
const refusalOf = (source: unknown): unknown => {
  try {
    return checkInput(schema, source);
  } catch (error) {
    return error instanceof Refusal ? error.data : error;
  }
};

test.each([
  ['lists', () => nested('[', '', ']', 40_000)],
  ['objects', () => nested('{"a":', '1', '}', 40_000)],
  ['lists in a field', () => ({ words: 'x', more: nested('[', '', ']', 40_000) })],
  ['21 levels', () => ({ words: 'x', more: nested('[', '1', ']', 20) })],
])('%s in each other without end are refused, and use up no stack', (_, make) => {
  expect(refusalOf(make())).toEqual({ fields: { body: 'The input is nested too deeply.' } });
});

test('twenty levels are accepted, however many items are at each', () => {
  const more = Array.from({ length: 5000 }, () => nested('[', '1', ']', 18));
  expect(checkInput(schema, { words: 'x', more })).toEqual({ words: 'x', more });
});
