import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readPageFiles } from './page-html.ts';

let folder: string;

beforeAll(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'sameway-page-files-'));
  const page = {
    layout: 'map',
    isTab: true,
    scripts: ['assets/home-1.js'],
    words: { en: ['assets/words-en-1.js'], zh: ['assets/words-zh-1.js'] },
  };
  fs.writeFileSync(path.join(folder, 'web-pages.json'), JSON.stringify({ '/': page, '/intro': page }));
  const drawn = {
    en: { plain: '<h1>Going the same way?</h1>', demo: '<b>Demo</b><h1>Going the same way?</h1>' },
    zh: { plain: '<h1>同路？</h1>', demo: '<b>演示</b><h1>同路？</h1>' },
  };
  fs.writeFileSync(
    path.join(folder, 'web-first-screens.json'),
    JSON.stringify({
      script: 'start()',
      greeting: { en: 'Hello', zh: '您好' },
      pages: { '/': drawn, '/intro': drawn },
    }),
  );
});
afterAll(() => fs.rmSync(folder, { recursive: true }));

test('a page that guests open first is in the HTML in their language, with the bar of a demo in one', () => {
  const partsOf = readPageFiles(path.join(folder, 'web'));
  const intro = partsOf('/intro', { language: 'en', isDemo: false });
  expect(intro.frame).toMatch(/^<h1>Going the same way\?<\/h1><div class="frame frame-map frame-tab"/);
  expect(intro.scripts).toEqual(['assets/words-en-1.js', 'assets/home-1.js']);
  expect(intro.startScript).toBe('start()');
  expect(partsOf('/intro', { language: 'zh', isDemo: true }).frame).toMatch(/^<b>演示<\/b><h1>同路？<\/h1>/);
  // Home holds the introduction of a first visit, too.
  expect(partsOf('/', { language: 'zh', isDemo: false }).frame).toContain('<div class="greeting">您好</div>');
});

test('other pages have their frame alone, and what is not built has nothing', () => {
  const partsOf = readPageFiles(path.join(folder, 'web'));
  expect(partsOf('/pages/legal/legal', { language: 'en', isDemo: false })).toEqual({
    scripts: [],
    frame: '',
    startScript: null,
  });
  const unbuilt = readPageFiles(path.join(folder, 'nowhere', 'web'));
  expect(unbuilt('/', { language: 'en', isDemo: false })).toEqual({
    scripts: [],
    frame: '',
    startScript: null,
  });
});
