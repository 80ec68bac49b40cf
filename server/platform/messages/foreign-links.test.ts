import { expect, test } from 'vitest';
import { withoutForeignLinks } from './email-html.ts';

const home = 'https://sameway.example';

test('an address in a text is none for a mail program, and still reads the same', () => {
  const name = 'https://evil.example/win';
  const text = `${name} and www.evil.example/b, evil.example invite you.\n\n${home}/intro?inviter=a\n\n${name}`;
  const left = withoutForeignLinks(text, home);
  expect(left).not.toMatch(/evil\.example|https:\/\/evil/);
  expect(left).toContain(`${home}/intro?inviter=a`);
  expect(left.replaceAll('\u200B', '')).toBe(text);
});

test('what is no address stays as it is, and one that only begins as ours is another', () => {
  const plain = 'Write to nora@mail.example. At 7.30 a.m. it costs $4.50.';
  expect(withoutForeignLinks(plain, home)).toBe(plain);
  expect(withoutForeignLinks('https://sameway.example.evil.net/x', home)).not.toContain('example.evil');
});
