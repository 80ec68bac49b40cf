import { afterEach, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { newId } from './new-id.ts';

afterEach(() => vi.unstubAllGlobals());

test('an id is a UUID, also on a page loaded over plain http', () => {
  expect(z.uuidv4().parse(newId())).toBeTruthy();
  const { getRandomValues } = crypto;
  vi.stubGlobal('crypto', { getRandomValues: getRandomValues.bind(crypto) });
  const ids = Array.from({ length: 100 }, newId);
  for (const id of ids) expect(z.uuidv4().safeParse(id).error).toBeUndefined();
  expect(new Set(ids).size).toBe(100);
});
