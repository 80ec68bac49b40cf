import { expect, test } from 'vitest';
import { requireNoStyles, withoutSheet } from './styles-in-files.ts';

test('a library’s style sheet is removed from its script', () => {
  expect(withoutSheet('const a = 1;\n__insertCSS("a{b:c}");\nexport { a };')).toBe(
    'const a = 1;\n\nexport { a };',
  );
  expect(() => withoutSheet('const a = 1;')).toThrow('a different way');
});

test('HTML that the build renders contains no styles', () => {
  expect(requireNoStyles('<p class="a">style="b"</p>')).toBe('<p class="a">style="b"</p>');
  for (const html of ['<p class="a" style="--b:0">', '<style>a{}</style>'])
    expect(() => requireNoStyles(html)).toThrow('contains a style');
});
