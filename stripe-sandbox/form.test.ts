import { expect, test } from 'vitest';
import { decodeForm } from './form.ts';

test.each([
  ['', {}],
  ['a=1&b=', { a: '1', b: '' }],
  ['a[b]=1&a[c][d]=2', { a: { b: '1', c: { d: '2' } } }],
  ['expand[0]=x&expand[1]=y', { expand: ['x', 'y'] }],
  ['expand[]=x&expand[]=y', { expand: ['x', 'y'] }],
  ['a[0][b]=1&a[1][b]=2', { a: [{ b: '1' }, { b: '2' }] }],
  ['name=%E9%A1%BA%E8%B7%AF+1', { name: '顺路 1' }],
  ['metadata[__proto__]=x', { metadata: JSON.parse('{"__proto__":"x"}') as unknown }],
])('%s', (text, value) => {
  expect(decodeForm(text)).toEqual(value);
});

test.each(['a=1&a[b]=2', 'a[b][c][d][e][f][g]=1', '=1', 'a=%00'])('refused: %s', (text) => {
  expect(() => decodeForm(text)).toThrow(RangeError);
});
