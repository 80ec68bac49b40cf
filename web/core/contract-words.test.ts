import { describe, expect, test } from 'vitest';
import { allEndpoints } from '#contract/all.ts';
import { words as en } from '#locales/en.ts';

/** Dotted keys of a bundle, without the endings of plurals. */
function keysOf(bundle: object, prefix = ''): string[] {
  return Object.entries(bundle).flatMap(([key, value]: [string, unknown]) =>
    typeof value === 'object' && value !== null
      ? keysOf(value, `${prefix}${key}.`)
      : [`${prefix}${key.replace(/_(one|other)$/, '')}`],
  );
}

describe('words', () => {
  test('every sentence of the contract has words, whatever figure stands in it', () => {
    const sources = import.meta.glob<string>(['../../contract/**/*.ts', '!**/*.test.ts'], {
      query: '?raw',
      import: 'default',
      eager: true,
    });
    const sentences = Object.values(sources).flatMap((source) =>
      [...source.matchAll(/['`]((?:Please|Invalid|Email) [^'`]*\.)['`]/g)].map(([, sentence = '']) =>
        sentence.replace(/\$\{\w+\}/, '{{count}}'),
      ),
    );
    expect(sentences.length).toBeGreaterThan(50);
    const known = new Set(Object.keys(en.sentences));
    const inGeneral = (sentence: string) => sentence.replace(/\d+/, '{{count}}');
    expect(
      [...new Set(sentences)].filter((sentence) => !known.has(sentence) && !known.has(inGeneral(sentence))),
    ).toEqual([]);
  });

  test('every refusal of the contract has words', () => {
    const known = new Set([
      ...keysOf(en.reasons),
      ...keysOf(en.admin),
      ...keysOf(en.security),
      ...keysOf(en.connect),
    ]);
    const common = [
      'input.invalid',
      'session.missing',
      'rate.limited',
      'server.busy',
      'access.denied',
      'access.secondFactorNeeded',
      'session.stepUp',
    ];
    const refusals = [...common, ...allEndpoints.flatMap((endpoint) => [...endpoint.refusals])];
    expect(refusals.filter((reason) => !known.has(reason))).toEqual([]);
  });
});
