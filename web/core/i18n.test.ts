import { beforeEach, expect, test, vi } from 'vitest';

// What the words need of a browser.
vi.stubGlobal('addEventListener', () => {});
const kept = new Map<string, string>();
vi.stubGlobal('localStorage', {
  getItem: (key: string) => kept.get(key) ?? null,
  setItem: (key: string, value: string) => kept.set(key, value),
});
const page = { documentElement: { lang: '' }, querySelector: () => null };
vi.stubGlobal('document', page);
const { currentLanguage, followProfileLanguage, i18n, loadWords, setLanguage, startWords } =
  await import('./i18n.ts');

/** Begins as a browser of these languages does. */
const begin = async (...languages: string[]) => {
  vi.stubGlobal('navigator', { languages });
  await startWords();
};
beforeEach(() => kept.clear());

test.each([
  { what: 'English', languages: ['en-US'], language: 'en', lang: 'en', title: 'Rides' },
  { what: 'Chinese', languages: ['zh-CN', 'en'], language: 'zh', lang: 'zh-CN', title: '行程' },
  { what: 'a language that is not there', languages: ['de-DE'], language: 'en', lang: 'en', title: 'Rides' },
  {
    what: 'English first, Chinese after it',
    languages: ['en-US', 'zh-CN'],
    language: 'en',
    lang: 'en',
    title: 'Rides',
  },
  {
    what: 'another language first, Chinese after it',
    languages: ['de-DE', 'zh-CN', 'en'],
    language: 'en',
    lang: 'en',
    title: 'Rides',
  },
  { what: 'no language at all', languages: [], language: 'en', lang: 'en', title: 'Rides' },
])('a browser in $what', async ({ languages, language, lang, title }) => {
  await begin(...languages);
  expect(currentLanguage()).toBe(language);
  expect(page.documentElement.lang).toBe(lang);
  expect(i18n.t('titles.rides')).toBe(title);
});

test('only the words of the language that is read are loaded, and those of a page with the page', async () => {
  await begin('zh-CN');
  await loadWords(['geo']);
  expect(i18n.hasResourceBundle('zh', 'geo')).toBe(true);
  expect(i18n.hasResourceBundle('zh', 'vehicles')).toBe(false);
  expect(i18n.hasResourceBundle('en', 'geo')).toBe(false);
});

test('a chosen language is kept, and the profile’s is followed only where none was chosen', async () => {
  await begin('en-US');
  await followProfileLanguage('zh');
  expect(currentLanguage()).toBe('zh');
  expect(JSON.parse(kept.get('sameway.language')!)).toBe('zh');
  await followProfileLanguage('en');
  expect(currentLanguage()).toBe('zh');
  await setLanguage('en');
  expect(i18n.t('titles.rides')).toBe('Rides');
});

test('another language brings all words that have been asked for', async () => {
  await loadWords(['discover']);
  await setLanguage('zh');
  expect(i18n.hasResourceBundle('zh', 'discover')).toBe(true);
});
