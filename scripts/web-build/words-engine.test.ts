import { createInstance as createOriginal } from 'i18next';
import { renderToStaticMarkup } from 'react-dom/server';
import { createElement } from 'react';
import { beforeAll, describe, expect, test } from 'vitest';
import fs from 'node:fs';
import path from 'node:path';
import { createInstance } from '../../web/core/words/engine.ts';
import { Trans, useTranslation } from '../../web/core/words/react.ts';

const folder = path.resolve(import.meta.dirname, '..', '..', 'locales');
const languages = ['en', 'zh'] as const;
const bundles = languages.flatMap((language) =>
  fs
    .readdirSync(path.join(folder, language))
    // Sentences are looked up as they come, without keys.
    .filter((name) => name.endsWith('.json') && name !== 'sentences.json')
    .map((name) => ({
      language,
      namespace: name.replace('.json', ''),
      words: JSON.parse(fs.readFileSync(path.join(folder, language, name), 'utf8')) as object,
    })),
);

/** The dotted paths of all texts in a bundle, without the ends of plurals. */
function keysIn(words: object, before = ''): string[] {
  return Object.entries(words).flatMap(([key, value]: [string, unknown]) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? keysIn(value, `${before}${key}.`)
      : [`${before}${key}`, `${before}${key.replace(/_(zero|one|other)$/, '')}`],
  );
}

const settings = {
  lng: 'en',
  fallbackLng: 'en',
  supportedLngs: [...languages],
  defaultNS: 'common',
  ns: [],
  resources: {},
  returnEmptyString: false,
  interpolation: { escapeValue: false },
  missingInterpolationHandler: (_text: string, match: RegExpExecArray) => match[0],
};
const original = createOriginal();
const own = createInstance();

beforeAll(async () => {
  await original.init(settings);
  await own.init(settings);
  for (const { language, namespace, words } of bundles) {
    original.addResourceBundle(language, namespace, words);
    own.addResourceBundle(language, namespace, words);
  }
});

/** Some of the figures that sentences name: one that reads like a placeholder, one without a value. */
const figures = { name: 'Ada & {{count}}', amount: '$4.20', percent: 50, when: null, returnObjects: true };

describe.each(languages)('in %s each text is that of i18next', (language) => {
  test.each(bundles.filter((bundle) => bundle.language === 'en'))(
    '$namespace',
    async ({ namespace, words }) => {
      await original.changeLanguage(language);
      await own.changeLanguage(language);
      const say = original.t as unknown as (key: string, options: object) => unknown;
      for (const key of new Set(keysIn(words)))
        for (const count of [undefined, 0, 1, 2, 12]) {
          const options = { ...figures, ...(count === undefined ? {} : { count }) };
          const asked = `${namespace}:${key}`;
          expect([asked, count, own.t(asked, options)]).toEqual([asked, count, say(asked, options)]);
        }
    },
  );
});

test('what one language lacks is said in the other; what both lack, by the given words or its key', async () => {
  own.addResourceBundle('en', 'lacking', { here: 'Here', empty: '' });
  own.addResourceBundle('zh', 'lacking', {});
  await own.changeLanguage('zh');
  expect(own.t('lacking:here')).toBe('Here');
  expect(own.t('lacking:empty')).toBe('empty');
  expect(own.t('lacking:a.b', { defaultValue: 'Seats: {{seats}}', seats: 2 })).toBe('Seats: 2');
  expect(own.t('lacking:a.b')).toBe('a.b');
  expect(own.getFixedT('en', 'lacking')('here')).toBe('Here');
});

test('words are reported as added only where they were asked for before they came', async () => {
  await own.changeLanguage('en');
  let told = 0;
  const count = () => (told += 1);
  own.on('added', count);
  const { version } = own;
  own.addResourceBundle('en', 'early', { title: 'Early' });
  expect([told, own.version]).toEqual([0, version]);
  expect(own.t('late:title')).toBe('title');
  own.addResourceBundle('en', 'late', { title: 'Late' });
  expect([told, own.version]).toEqual([1, version + 1]);
  expect([own.t('early:title'), own.t('late:title')]).toEqual(['Early', 'Late']);
  own.off('added', count);
});

test('a component draws the words of its namespace, and elements within a sentence', async () => {
  await own.changeLanguage('en');
  const Sentence = () => {
    const { t } = useTranslation(['access', 'common']);
    return createElement(Trans, {
      t,
      i18nKey: 'auth.terms',
      components: { terms: createElement('a', { href: '/t' }), privacy: createElement('a', { href: '/p' }) },
    });
  };
  expect(renderToStaticMarkup(createElement(Sentence))).toMatch(
    /^By continuing, you agree to the <a href="\/t">[\w ]+<\/a> and <a href="\/p">[\w ]+<\/a>\.$/,
  );
});
