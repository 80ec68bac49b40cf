import { createInstance } from 'i18next';
import { initReactI18next } from 'react-i18next';
import type { Namespace, words } from '#locales/en.ts';
import {
  chosenLanguage,
  isLanguage,
  languages,
  preferredLanguage,
  type Language,
} from './preferred-language.ts';

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'common';
    returnNull: false;
    /** Keys of `sentences` are the contract's own sentences, which are looked up as they come. */
    resources: Omit<typeof words, 'sentences'>;
  }
}

export const i18n = createInstance();

/** What the server and the contract refuse. */
const ofRefusals: readonly Namespace[] = ['reasons', 'sentences'];

/** Words that pages need together come in one file of a language. */
const together: Readonly<Partial<Record<Namespace, string>>> = {
  common: 'start',
  alerts: 'start',
  notifications: 'start',
  about: 'start',
  planning: 'plan',
  geo: 'plan',
  rides: 'rides',
  recurring: 'rides',
  discover: 'rides',
  reasons: 'refusals',
  sentences: 'refusals',
  people: 'people',
  settings: 'people',
  contacts: 'people',
  reviews: 'people',
};
const filesTogether = import.meta.glob<Readonly<Record<string, object>>>('./words/words-*.ts');
const files = import.meta.glob<object>(
  [
    '../../locales/{en,zh}/*.json',
    '!../../locales/*/{emails,notices,previews,sms}.json',
    '!../../locales/*/{common,alerts,notifications,about,planning,geo,rides,recurring,discover}.json',
    '!../../locales/*/{reasons,sentences,people,settings,contacts,reviews}.json',
  ],
  { import: 'default' },
);

async function readWords(language: Language, namespace: Namespace): Promise<object | undefined> {
  const file = together[namespace];
  if (file === undefined) return files[`../../locales/${language}/${namespace}.json`]?.();
  return (await filesTogether[`./words/words-${language}-${file}.ts`]?.())?.[namespace];
}

/** What has been asked for so far: another language brings all of it. */
const wanted = new Set<Namespace>();

/** Reads words of a language, if they are not there yet: before what shows them is drawn. */
export async function loadWords(
  namespaces: readonly Namespace[],
  language: Language = currentLanguage(),
): Promise<void> {
  await Promise.all(
    namespaces.map(async (namespace) => {
      wanted.add(namespace);
      if (i18n.hasResourceBundle(language, namespace)) return;
      i18n.addResourceBundle(language, namespace, await readWords(language, namespace));
    }),
  );
}

/** Reads the words for what is refused. Without them the server's own sentence is shown. */
export const loadRefusalWords = (): Promise<void> => loadWords(ofRefusals).catch(() => {});

/** The language shown now. */
export const currentLanguage = (): Language => (isLanguage(i18n.language) ? i18n.language : 'en');

/** Loads the first words in the person's language, before the first screen is drawn. */
export async function startWords(first: readonly Namespace[] = ['common']): Promise<void> {
  const language = preferredLanguage();
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
    // What is drawn before its words are there is drawn again with them.
    react: { useSuspense: false, bindI18nStore: 'added' },
  });
  await loadWords(first, language);
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
  chosenLanguage.write(language);
  await loadWords([...wanted], language);
  await i18n.changeLanguage(language);
}

/** Follows the profile's language after signing in, unless a language was chosen in this browser. */
export async function followProfileLanguage(language: Language): Promise<void> {
  if (chosenLanguage.read() === null) await setLanguage(language);
}
