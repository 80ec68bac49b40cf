import { expect, test } from 'vitest';
import { isCommonPassword } from './password.ts';

test.each([
  ['1234567890', 'digits in a row'],
  ['0987654321', 'digits backwards'],
  ['qwertyuiop', 'a row of the keyboard'],
  ['qwerty12345', 'two runs'],
  ['aaaaaaaaaa', 'one letter'],
  ['1212121212', 'two letters in turn'],
  ['abcabcabcabc', 'three letters in turn'],
  ['Password123!', 'a word with digits after it'],
  ['P@ssw0rd2024', 'a word in disguise'],
  ['!!welcome2025', 'a word with signs before it'],
  ['1q2w3e4r5t', 'a pattern of the keyboard'],
  ['basketball', 'a leaked password'],
  ['mia.torres99', 'the e-mail’s own name'],
  ['  1234567890', 'spaces do not help'],
])('%s is common: %s', (password) => {
  expect(isCommonPassword(password, 'mia.torres@example.com')).toBe(true);
});

test.each([
  'correct-donkey-tram',
  'vor dem Regen 7',
  '顺路去圣克鲁斯海边看日落吧',
  'x9#Lk2!vQz7p',
  'seventeen ducks',
])('%s is not common', (password) => {
  expect(isCommonPassword(password, 'al@example.com')).toBe(false);
});
