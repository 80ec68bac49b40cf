import { describe, expect, test } from 'vitest';
import { allEndpoints } from '#contract/all.ts';
import { words as en } from './en.ts';
import { words as zh } from './zh.ts';

/** Dotted keys of a bundle. Plural forms differ between languages, so their endings are left out. */
function keysOf(bundle: object, prefix = ''): string[] {
  return Object.entries(bundle).flatMap(([key, value]: [string, unknown]) =>
    typeof value === 'object' && value !== null
      ? keysOf(value, `${prefix}${key}.`)
      : [`${prefix}${key.replace(/_(zero|one|two|few|many|other)$/, '')}`],
  );
}

const setOf = (bundle: object | undefined) => [...new Set(keysOf(bundle ?? {}))].toSorted();

describe('words', () => {
  test('both languages have the same namespaces', () => {
    expect(Object.keys(zh).toSorted()).toEqual(Object.keys(en).toSorted());
  });

  test.each(Object.keys(en))('both languages have the same keys in %s', (namespace) => {
    expect(setOf(zh[namespace])).toEqual(setOf(en[namespace]));
  });

  test('every refusal of the contract has words', () => {
    const known = new Set(setOf(en['reasons']));
    const common = ['input.invalid', 'session.missing', 'rate.limited', 'access.denied'];
    const refusals = [...common, ...allEndpoints.flatMap((endpoint) => [...endpoint.refusals])];
    expect(refusals.filter((reason) => !known.has(reason))).toEqual([]);
  });
});
