import { describe, expect, test } from 'vitest';
import { pages } from '#contract/app/pages.ts';
import { wordsOfEveryPage, wordsOfPages } from '../../web/app/page-words.ts';
import { filesOfPages, lazyPartsWith, readPart, wordsWith } from './words-of-pages.ts';

const ofEveryPage: ReadonlySet<string> = new Set(wordsOfEveryPage);
const own = (words: Iterable<string>) => [...words].filter((name) => !ofEveryPage.has(name)).toSorted();
const files = filesOfPages();

test('a module names its words in its hook, in its keys, and by checking fields', () => {
  const part = readPart(
    'web/pages/a/a.tsx',
    `import type { T } from './type.ts';
     import { fieldWords } from '../../core/errors.ts';
     const Part = lazyPart(async () => (await import('./part.tsx')).Part, ['rides', 'geo']);
     const { t } = useTranslation(['events', 'common']);
     t(\`payments:\${kind}\`); useTranslation();
     void import('./later.ts');`,
  );
  expect(part.imports).toEqual(['web/core/errors.ts', 'web/pages/a/later.ts']);
  expect([...part.words].toSorted()).toEqual(['common', 'events', 'payments', 'reasons', 'sentences']);
  expect(part.lazyParts).toEqual([{ file: 'web/pages/a/part.tsx', words: ['rides', 'geo'] }]);
});

test('the router is read: each page of the app has its file', () => {
  const { '/pages/update/update': _panel, ...drawn } = pages;
  expect([...files.keys()].toSorted()).toEqual(Object.keys(drawn).toSorted());
});

describe('no words are missing, and none are loaded in vain', () => {
  test('in the shell', () => expect(own(wordsWith('web/app/main.tsx'))).toEqual([]));

  test.each([...files])('on %s', (address, file) => {
    const listed: Readonly<Record<string, readonly string[]>> = wordsOfPages;
    expect(listed[address]?.toSorted()).toEqual(own(wordsWith(file)));
  });

  const parts = ['web/app/main.tsx', ...files.values()].flatMap(lazyPartsWith);
  test.each(parts)('in $file, which comes later', ({ file, words }) => {
    expect(words.toSorted()).toEqual(own(wordsWith(file)));
  });
});
