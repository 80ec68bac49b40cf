import { expect, test } from 'vitest';
import { z } from 'zod';
import { defineEndpoint } from '#contract/define.ts';
import { differences, snapshotOf } from './snapshot.ts';

const ask = defineEndpoint({
  method: 'GET',
  path: '/a/ask',
  who: 'guest',
  summary: 'Asks.',
  input: z.object({ text: z.string().max(10) }),
  output: z.object({ at: z.iso.datetime() }),
  refusals: ['a.b'],
});

test('the same contract has no differences, whatever the order of its calls', () => {
  const other = { ...ask, path: '/a/other' as const };
  expect(differences(snapshotOf([ask, other]), snapshotOf([other, ask]))).toEqual([]);
});

test('new, gone and changed calls are named', () => {
  const longer = { ...ask, input: z.object({ text: z.string().max(20) }), refusals: ['a.b', 'a.c'] };
  const kept = snapshotOf([ask, { ...ask, path: '/a/old' }]);
  const current = snapshotOf([longer, { ...ask, path: '/a/new' }]);
  expect(differences(kept, current)).toEqual([
    'GET /a/ask has changed: refusals.1, input.properties.text.maxLength',
    'GET /a/new is new',
    'GET /a/old is gone',
  ]);
});
