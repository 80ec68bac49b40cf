import { describe, expect, test } from 'vitest';
import { stages } from '#contract/rides/moves.ts';
import { maxVia } from '#contract/units.ts';
import { parsePageSearch, parseSearch, stringifySearch } from './page-search.ts';

const id = '018f4e7a-2c3d-7a11-8b2f-0a1b2c3d4e5f';
const other = '00000000-0000-4000-8000-000000000000';
const detailOf = (given: Record<string, unknown>) => parsePageSearch('/pages/order/detail', given);

describe('what a page takes of its address', () => {
  test('a value of its kind, as it is spelled', () => {
    expect(detailOf({ id, pay: other, redirect_status: 'succeeded' })).toEqual({
      id,
      pay: other,
      redirect_status: 'succeeded',
    });
    expect(detailOf({ id: id.toUpperCase() })).toEqual({ id: id.toUpperCase() });
    expect(detailOf({ id: 'SW-7KQ2M9' })).toEqual({ id: 'SW-7KQ2M9' });
    expect(parsePageSearch('/pages/chat/message', { roomid: 'SW-7KQ2M9' })).toEqual({});
  });

  test.each([
    ['empty', ''],
    ['text that is no id', '1'],
    ['an id with more around it', ` ${id}`],
    ['an id and a line', `${id}\n`],
    ['a script', '"><script>alert(1)</script>'],
    ['huge', id.repeat(100_000)],
    ['a list', [id]],
    ['a list in text', `["${id}"]`],
    ['an object', { id }],
    ['a number', 7],
    ['true', true],
    ['null', null],
    ['nothing', undefined],
  ])('%s is dropped where an id belongs', (_name, value) => {
    expect(detailOf({ id: value })).toEqual({});
    expect(parsePageSearch('/pages/order/series', { id: value })).toEqual({});
  });

  test('names that the page does not take are kept out, also those of every object', () => {
    const hostile = parseSearch('?utm_source=mail&gclid=1&__proto__=x&constructor=y&toString=z&returnTo=/x');
    expect(detailOf({ ...hostile, id })).toEqual({ id });
    expect(parsePageSearch('/pages/about/about', hostile)).toEqual({});
    // Properties of the prototype are not in the address.
    expect(detailOf(Object.create({ id }) as Record<string, unknown>)).toEqual({});
  });

  test('one of a few words, and no other', () => {
    const viewOf = (view: string) => parsePageSearch('/pages/discover/discover', { view, map: '1' });
    expect(viewOf('ways')).toEqual({ view: 'ways', map: '1' });
    for (const view of ['Ways', 'ways ', 'toString', '__proto__']) expect(viewOf(view)).toEqual({ map: '1' });
    expect(parsePageSearch('/', { choose: 'via' })).toEqual({});
  });

  test('every stage of a ride, and every stop of a plan', () => {
    for (const stage of stages)
      expect(parsePageSearch('/pages/order/order', { stage, role: 'driver' })).toEqual({
        stage,
        role: 'driver',
      });
    for (let stop = 0; stop < maxVia; stop++)
      expect(parsePageSearch('/pages/address/address', { for: 'driver', field: `via${stop}` }).field).toBe(
        `via${stop}`,
      );
    for (const field of ['via', 'via-1', 'via1e3', 'fromto'])
      expect(parsePageSearch('/pages/address/address', { field })).toEqual({});
  });

  test('a way back is a path, and text has an end', () => {
    const returnTo = '/pages/order/order?stage=In Progress#now';
    expect(parsePageSearch('/pages/auth/auth', { returnTo })).toEqual({ returnTo });
    for (const bad of ['https://evil.example', 'javascript:alert(1)', `/${'x'.repeat(2000)}`])
      expect(parsePageSearch('/pages/auth/auth', { returnTo: bad })).toEqual({});
    expect(parsePageSearch('/pages/order/linked', { code: 'x'.repeat(101) })).toEqual({});
  });

  test('what has been taken is taken again as it is', () => {
    const taken = detailOf({ id, pay: other });
    expect(detailOf(taken)).toEqual(taken);
  });
});

describe('addresses', () => {
  test('parameters are plain text on both sides', () => {
    const search = { for: 'driver', id: '7', text: 'a b&c', flag: 'true' };
    const written = stringifySearch(search);
    expect(written).toBe('?for=driver&id=7&text=a+b%26c&flag=true');
    expect(parseSearch(written)).toEqual(search);
  });

  test('what is empty or no text is left out', () => {
    expect(stringifySearch({ id: '', role: undefined, list: ['a'], count: 3 })).toBe('');
  });

  test('of a name given twice the last counts', () => {
    expect(detailOf(parseSearch(`?id=${other}&id=${id}`))).toEqual({ id });
  });
});
