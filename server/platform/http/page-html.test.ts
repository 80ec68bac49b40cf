import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { pageHtml, pageTemplate, type PageHead } from './page-html.ts';

const source = fs.readFileSync(path.join(import.meta.dirname, '..', '..', '..', 'web', 'index.html'), 'utf8');
const hostile = `</title></script><script>alert("1")</script>&'`;
const head: PageHead = {
  language: 'en',
  siteName: 'Sameway',
  title: 'Concert · Sameway',
  description: 'Tue, Nov 24',
  address: 'https://go.example/pages/events/events?id=7&token=x',
  isIndexed: true,
  picture: { address: 'https://go.example/icon.png', alt: 'Concert', width: 512, height: 512 },
  data: { '@type': 'Event', name: 'Concert' },
  lines: ['Tue, Nov 24', '2 seats offered'],
};

const noParts = { scripts: [], frame: '', startScript: null, config: {} };

test('the head of an address takes the place of the built one; the scripts and styles stay', () => {
  const html = pageHtml(pageTemplate(source), head, noParts);
  expect(html.match(/<title>/g)).toHaveLength(1);
  expect(html.match(/<html/g)).toHaveLength(1);
  expect(html.match(/<meta name="description"/g)).toHaveLength(1);
  expect(html).toMatch(/^<!doctype html>\n<html lang="en">/);
  expect(html).toContain('<title>Concert · Sameway</title>');
  expect(html).toContain('<meta property="og:title" content="Concert · Sameway" />');
  expect(html).toContain('content="https://go.example/pages/events/events?id=7&#38;token=x"');
  expect(html).toContain('<div id="app"></div>');
  expect(html).toContain('<script fetchpriority="low" type="module" src="/app/main.tsx"></script>');
  expect(html).toContain('<meta charset="utf-8" />');
  expect(html).toMatch(
    /<noscript>[^]*<h1>Concert · Sameway<\/h1>[^]*<p>2 seats offered<\/p>[^]*<\/noscript>/,
  );
  expect(html.trimEnd().endsWith('</html>')).toBe(true);
});

test('what the page is drawn with is named in its head; its frame stands where the app will be', () => {
  const html = pageHtml(pageTemplate(source), head, {
    scripts: ['assets/home.js'],
    frame: '<div class="frame"></div>',
    startScript: null,
    config: {},
  });
  expect(html).toMatch(
    /<link fetchpriority="low" rel="modulepreload" crossorigin href="\/assets\/home.js" \/>[^]*<\/head>/,
  );
  expect(html).toContain('<div id="app"><div class="frame"></div></div>');
});

test('where the HTML shows a page, its scripts wait in a template for the one that starts the app', () => {
  const built = source.replace('</head>', '<link rel="stylesheet" href="/assets/app.css"></head>');
  const html = pageHtml(pageTemplate(built), head, {
    scripts: ['assets/home.js'],
    frame: '<h1>Where to?</h1>',
    startScript: 'start()',
    config: {},
  });
  expect(html).toContain(
    '<template id="app-scripts"><script type="module" src="/app/main.tsx"></script>' +
      '<link rel="modulepreload" crossorigin href="/assets/home.js" /></template>\n    <script>start()</script>',
  );
  // A script after the style sheet would wait for it, and the page with it.
  expect(html.indexOf('start()')).toBeLessThan(html.indexOf('stylesheet'));
  expect(html.match(/main\.tsx/g)).toHaveLength(1);
});

test('what a person typed is text everywhere, in attributes and in data too', () => {
  const html = pageHtml(
    pageTemplate(source),
    {
      ...head,
      title: hostile,
      description: hostile,
      picture: { ...head.picture, alt: hostile },
      data: { name: hostile },
      lines: [hostile],
    },
    { ...noParts, config: { region: hostile } },
  );
  expect(html).not.toContain('<script>alert');
  expect(html).not.toContain('content="</');
  expect(html.match(/<\/script>/g)).toHaveLength(3);
  const config = /<script type="application\/json" id="config">(.*?)<\/script>/.exec(html)![1]!;
  expect(JSON.parse(config)).toEqual({ region: hostile });
  const data = /<script type="application\/ld\+json">(.*?)<\/script>/.exec(html)![1]!;
  expect(JSON.parse(data)).toEqual({ name: hostile });
});

test('a dollar in a title is no pattern of a replacement', () => {
  const html = pageHtml(pageTemplate(source), { ...head, title: 'Only $& $1 $$' }, noParts);
  expect(html).toContain('<title>Only $&#38; $1 $$</title>');
});
