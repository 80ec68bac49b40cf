import { expect, test } from 'vitest';
import { searchedBy } from './search-text.ts';

const parsePhone = (typed: string) => {
  const digits = typed.replaceAll(/\D/g, '');
  return digits.length >= 10 ? { phone: `+1${digits.slice(-10)}` } : null;
};

test.each([
  ['Mia@Example.com', { email: 'mia@example.com' }],
  ['(415) 555-0132', { phone: '+14155550132' }],
  ['+1 415 555 0132', { phone: '+14155550132' }],
  ['555-0132', { name: '555-0132' }],
  ['mia@home', { name: 'mia@home' }],
  ['Mia', { name: 'Mia' }],
  ['王', { name: '王' }],
  ['M', null],
  ['é', null],
])('%j', (text, by) => expect(searchedBy(text, parsePhone)).toEqual(by));
