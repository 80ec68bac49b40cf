import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { firstLoad } from './first-load.ts';

const html = `<link rel="preload" href="/assets/inter.woff2" as="font" />
  <link rel="icon" href="/icon.svg" />
  <script type="module" src="/assets/app.js"></script><link rel="stylesheet" href="/assets/app.css" />`;
const bytes: Readonly<Record<string, number>> = {
  'assets/inter.woff2': 48,
  'assets/app.css': 11,
  'assets/app.js': 32,
  'assets/home.js': 14,
  'assets/words-en.js': 4,
  'assets/words-zh.js': 5,
  'icon.svg': 2,
};

test('a page is fetched with the scripts of all pages, its own, and the words of one language', () => {
  const files = {
    scripts: ['assets/home.js', 'assets/app.js'],
    words: { en: ['assets/words-en.js'], zh: ['assets/words-zh.js'] },
    firstScreen: null,
  };
  const page = gzipSync(html, { level: 9 }).length;
  const bytesOf = (file: string) => bytes[file]!;
  expect(firstLoad(html, files, bytesOf)).toEqual({
    shownBytes: page + 48 + 11 + 2,
    shownRequests: 1 + 3,
    scriptBytes: 32 + 14 + 5,
    requests: 1 + 6,
  });
  // Content in the HTML comes with it, and takes no request of its own.
  const firstScreen = '<h1>Where are you driving?</h1>';
  const withIt = gzipSync(html + firstScreen, { level: 9 }).length;
  expect(firstLoad(html, { ...files, firstScreen }, bytesOf)).toMatchObject({
    shownBytes: withIt + 48 + 11,
    shownRequests: 1 + 2,
  });
});
