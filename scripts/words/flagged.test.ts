import { expect, test } from 'vitest';
import { commentsOf, sentencesOf } from './code-texts.ts';
import { findFlagged, flaggedWords, textsOf } from './flagged.ts';

const page = `# Words

| \`ride\` | not flagged: above the heading |

## Flagged words

| flagged | instead |
| --- | --- |
| \`somebody\`, \`at most\` | a rider; up to |

## Flagged Chinese words

| flagged | instead |
| --- | --- |
| \`被告知\` | 收到通知 |
`;

test('the first column below a heading is read, up to the next heading', () => {
  expect(flaggedWords(page, 'Flagged words')).toEqual(['somebody', 'at most']);
  expect(flaggedWords(page, 'Flagged Chinese words')).toEqual(['被告知']);
  expect(flaggedWords('# No such heading', 'Flagged words')).toEqual([]);
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

test('a flagged Chinese word is found between other characters', () => {
  expect(findFlagged([{ key: 'a', text: '乘客被告知原因，SMS被告知' }], ['被告知'])).toHaveLength(1);
  expect(findFlagged([{ key: 'a', text: 'PIN被告知' }], ['被告知'])).toHaveLength(1);
  expect(findFlagged([{ key: 'a', text: '已告知乘客' }], ['被告知'])).toEqual([]);
});

test('a refusal of the server is read, in strings and templates, and a flagged word in it is found', () => {
  const source = `
    // Somebody who reads code is no reader of the app.
    throw new Refusal('ride.closed', 'Somebody has joined.');
    const words = { 'ride.full': \`You may ask \${name} at most twice.\`, zh: '您被告知已满。' };
    export const call = { summary: 'Asks somebody.', path: '/order/request' };`;
  const sentences = sentencesOf('server/a.ts', source);
  expect(sentences).toEqual([
    { key: 'server/a.ts', text: 'Somebody has joined.' },
    { key: 'server/a.ts', text: 'You may ask … at most twice.' },
    { key: 'server/a.ts', text: '您被告知已满。' },
  ]);
  const found = (heading: string) =>
    findFlagged(sentences, flaggedWords(page, heading)).map(({ word }) => word);
  expect(found('Flagged words')).toEqual(['somebody', 'at most']);
  expect(found('Flagged Chinese words')).toEqual(['被告知']);
});

test('comments on lines that follow one another are one text, without the names of code in it', () => {
  const source = `
    /**
     * What is kept of a ride,
     * or looked up. @param kept whatever it is
     */
    const kept = 'nothing is kept'; // as \`kept\` says
    // It would be
    // kept here.`;
  expect(commentsOf('a.ts', source, ['looked up'])).toEqual([
    { key: 'a.ts:2', text: '* What is kept of a ride, or …. … whatever it is' },
    { key: 'a.ts:6', text: 'as … says It would be kept here.' },
  ]);
});
