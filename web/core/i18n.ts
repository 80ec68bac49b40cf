import { createInstance } from 'i18next';
import { initReactI18next } from 'react-i18next';
import type { words } from '#locales/en.ts';
import { stored } from './stored.ts';

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'common';
    returnNull: false;
    /** Keys of `sentences` are the contract's own sentences, which are looked up as they come. */
    resources: Omit<typeof words, 'sentences'>;
  }
}

export const languages = ['en', 'zh'] as const;
export type Language = (typeof languages)[number];
const isLanguage = (value: unknown): value is Language => languages.some((language) => language === value);

const chosen = stored('language', (raw): Language | null => (isLanguage(raw) ? raw : null));

export const i18n = createInstance();

const loaders: Record<Language, () => Promise<{ words: Record<string, object> }>> = {
  en: () => import('#locales/en.ts'),
  zh: () => import('#locales/zh.ts'),
};

/** Reads the words of a language, if they are not there yet. */
export async function loadWords(language: Language): Promise<void> {
  if (i18n.hasResourceBundle(language, 'common')) return;
  const { words } = await loaders[language]();
  for (const [namespace, bundle] of Object.entries(words)) {
    i18n.addResourceBundle(language, namespace, bundle);
  }
}

/** The language shown now. */
export const currentLanguage = (): Language => (isLanguage(i18n.language) ? i18n.language : 'en');

function preferred(): Language {
  const wanted = chosen.read();
  if (wanted !== null) return wanted;
  // Only the first one decides: a browser that lists Chinese after English belongs to a person who reads
  // English.
  return navigator.languages[0]?.toLowerCase().startsWith('zh') === true ? 'zh' : 'en';
}

/**
 * Loads the words of the person's language (English too, as the fallback) before the first screen is drawn.
 */
export async function startWords(): Promise<void> {
  const language = preferred();
  await i18n.use(initReactI18next).init({
    lng: language,
    fallbackLng: 'en',
    supportedLngs: languages,
    defaultNS: 'common',
    ns: [],
    resources: {},
    returnEmptyString: false,
    interpolation: { escapeValue: false },
    // A refusal can lack the figure its sentence names; the placeholder stays visible to `errorWords`, which
    // then uses `info`.
    missingInterpolationHandler: (_text, match: RegExpExecArray) => match[0],
    react: { useSuspense: false },
  });
  await Promise.all([loadWords('en'), loadWords(language)]);
  await i18n.changeLanguage(language);
  const follow = () => {
    const zh = currentLanguage() === 'zh';
    document.documentElement.lang = zh ? 'zh-CN' : 'en';
    // Put on the home screen, the app has the name that its person reads.
    document
      .querySelector('link[rel=manifest]')
      ?.setAttribute('href', zh ? '/manifest.zh.webmanifest' : '/manifest.webmanifest');
    document
      .querySelector('meta[name=apple-mobile-web-app-title]')
      ?.setAttribute('content', zh ? '顺路' : 'Sameway');
  };
  i18n.on('languageChanged', follow);
  follow();
}

/** Changes the language of the whole app and remembers it in this browser. */
export async function setLanguage(language: Language): Promise<void> {
  chosen.write(language);
  await loadWords(language);
  await i18n.changeLanguage(language);
}

/** Follows the profile's language after signing in, unless this browser was told otherwise. */
export async function followProfileLanguage(language: Language): Promise<void> {
  if (chosen.read() === null) await setLanguage(language);
}
