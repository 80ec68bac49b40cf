import { expect, test } from 'vitest';
import { withLibrariesFirst } from './libraries-first.ts';

const app = '<script type="module" crossorigin src="/assets/index-a.js"></script>';
const libraries = '<link rel="modulepreload" crossorigin href="/assets/libraries-b.js">';

test('the libraries run before the app, by a tag of their own', () => {
  const html = withLibrariesFirst(`<head>\n    ${app}\n    ${libraries}\n  </head>`);
  expect(html).toBe(
    `<head>\n    <script type="module" crossorigin src="/assets/libraries-b.js"></script>\n    ${app}\n  </head>`,
  );
});

test('a page that names no libraries is no page of this build', () => {
  expect(() => withLibrariesFirst(`<head>${app}</head>`)).toThrow('libraries');
});
