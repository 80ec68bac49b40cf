import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { words as webEn } from './en.ts';
import { words as native } from './native.ts';
import { words as server } from './server.ts';
import { words as webZh } from './zh.ts';

const en: Record<string, object> = { ...webEn, ...server.en, native: native.en };
const zh: Record<string, object> = { ...webZh, ...server.zh, native: native.zh };

/** Dotted keys of a bundle. Plural forms differ between languages, so their endings are left out. */
function keysOf(bundle: object, prefix = ''): string[] {
  return Object.entries(bundle).flatMap(([key, value]: [string, unknown]) =>
    typeof value === 'object' && value !== null
      ? keysOf(value, `${prefix}${key}.`)
      : [`${prefix}${key.replace(/_(zero|one|two|few|many|other)$/, '')}`],
  );
}

/** Every text of a bundle with its dotted key. */
function textsOf(bundle: object, prefix: string): [key: string, text: string][] {
  return Object.entries(bundle).flatMap(([key, value]: [string, unknown]) =>
    typeof value === 'object' && value !== null
      ? textsOf(value, `${prefix}${key}.`)
      : [[`${prefix}${key}`, String(value)] satisfies [string, string]],
  );
}

/** Plurals that stand after a figure somewhere. */
const nouns = [
  'reviews',
  'seats',
  'people',
  'numbers',
  'days',
  'hours',
  'minutes',
  'months',
  'weeks',
  'years',
  'rides',
  'requests',
  'passengers',
  'drivers',
  'photos',
  'cards',
  'miles',
  'times',
  'contacts',
  'stops',
  'events',
  'messages',
];

const setOf = (bundle: object | undefined) => [...new Set(keysOf(bundle ?? {}))].toSorted();

describe('words', () => {
  test('both languages have the same namespaces', () => {
    expect(Object.keys(zh).toSorted()).toEqual(Object.keys(en).toSorted());
  });

  test.each([
    ['en', en],
    ['zh', zh],
  ])('every file of %s is loaded', (language, loaded) => {
    const files = fs.readdirSync(path.join(import.meta.dirname, language));
    expect(Object.keys(loaded).toSorted()).toEqual(
      files.map((file) => path.basename(file, '.json')).toSorted(),
    );
  });

  test('the web app does not load what the server writes, but for the legal texts', () => {
    expect(Object.keys(server.en).filter((namespace) => namespace in webEn)).toEqual(['legal']);
  });

  test.each(Object.keys(en))('both languages have the same keys in %s', (namespace) => {
    expect(setOf(zh[namespace])).toEqual(setOf(en[namespace]));
  });

  test('what is counted has a plural: one review, two reviews', () => {
    const texts = Object.entries(en).flatMap(([namespace, bundle]) => textsOf(bundle, `${namespace}:`));
    const keys = new Set(texts.map(([key]) => key));
    const counted = new RegExp(String.raw`\{\{(?!time|name)\w+\}\} (?:\w+ )?(?:${nouns.join('|')})\b`);
    const oneForm = texts
      .filter(
        ([key, text]) => !/_(one|other)$/.test(key) && !/^(legal|sentences):/.test(key) && counted.test(text),
      )
      .map(([key]) => key);
    expect(oneForm).toEqual([]);
    const missing = [...keys].filter(
      (key) => key.endsWith('_other') && !keys.has(key.replace(/_other$/, '_one')),
    );
    expect(missing).toEqual([]);
  });
});
