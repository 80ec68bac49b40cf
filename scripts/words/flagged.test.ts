import { expect, test } from 'vitest';
import { findFlagged, flaggedWords, textsOf } from './flagged.ts';

const page = `# Words

| \`ride\` | not flagged: above the heading |

## Flagged words

| flagged | instead |
| --- | --- |
| \`somebody\`, \`at most\` | a rider; up to |
`;

test('the first column below the heading is read', () => {
  expect(flaggedWords(page)).toEqual(['somebody', 'at most']);
  expect(flaggedWords('# No such heading')).toEqual([]);
});

test('texts are found however deep they are nested, in lists too', () => {
  expect(textsOf({ a: { b: 'one' }, c: ['two'] }, 'rides')).toEqual([
    { key: 'rides.a.b', text: 'one' },
    { key: 'rides.c.0', text: 'two' },
  ]);
});

test('a flagged word is found as a whole word in any case, not inside another or in a parameter', () => {
  const texts = [
    { key: 'a', text: 'Somebody asks' },
    { key: 'b', text: 'You pay At Most $5' },
    { key: 'c', text: 'somebodyish, atmost' },
    { key: 'd', text: 'Hi {{somebody}}' },
  ];
  expect(findFlagged(texts, ['somebody', 'at most']).map(({ key, word }) => [key, word])).toEqual([
    ['a', 'somebody'],
    ['b', 'at most'],
  ]);
});
