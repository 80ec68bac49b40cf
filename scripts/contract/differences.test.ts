import { expect, test } from 'vitest';
import { z } from 'zod';
import { defineEndpoint } from '#contract/define.ts';
import { callsPage } from './calls-page.ts';
import { differences } from './differences.ts';

const place = z.object({ title: z.string().max(60), longitude: z.number(), latitude: z.number() });
const ask = defineEndpoint({
  method: 'GET',
  path: '/app/ask',
  who: 'guest',
  summary: 'Asks.',
  input: z.object({ text: z.string().max(10) }),
  output: z.object({ at: z.iso.datetime(), place }),
  refusals: ['a.b'],
});
const pageOf = (...endpoints: (typeof ask)[]) => callsPage(endpoints, new Map([[place, 'place']]));

test('the same contract has no differences, whatever the order of its calls', () => {
  const other = { ...ask, path: '/app/other' as const };
  expect(differences(pageOf(ask, other), pageOf(other, ask))).toEqual([]);
});

test('new, gone and changed calls are named, with the lines that changed', () => {
  const longer = { ...ask, input: z.object({ text: z.string().max(20) }), refusals: ['a.b', 'a.c'] };
  const kept = pageOf(ask, { ...ask, path: '/app/old' });
  const current = pageOf(longer, { ...ask, path: '/app/new' });
  expect(differences(kept, current)).toEqual([
    `GET /app/ask has changed:
  - - Payload: \`text: string (up to 10 characters)\`
  - - Refuses: \`a.b\`
  + - Payload: \`text: string (up to 20 characters)\`
  + - Refuses: \`a.b\`, \`a.c\``,
    'GET /app/new is new',
    'GET /app/old is gone',
  ]);
});

test('a changed limit inside of a shared type is shown at the type', () => {
  const longer = z.object({ ...place.shape, title: z.string().max(90) });
  const current = callsPage(
    [{ ...ask, output: z.object({ at: z.iso.datetime(), place: longer }) }],
    new Map([[longer, 'place']]),
  );
  expect(differences(pageOf(ask), current)).toEqual([
    `place has changed:
  - - \`{ title: string (up to 60 characters), longitude: number, latitude: number }\`
  + - \`{ title: string (up to 90 characters), longitude: number, latitude: number }\``,
  ]);
});
