import { createInstance } from 'i18next';
import { words } from '#locales/server.ts';

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'emails';
    returnNull: false;
    resources: (typeof words)['en'];
  }
}

/** In which language a person is written to. */
export type Language = keyof typeof words;

const catalogue = createInstance();
const namespaces = ['emails', 'legal', 'notices', 'previews', 'sms'] as const;
// Nothing is escaped here: a subject, an SMS and the text of an email are plain text, and the HTML of an
// email escapes all that it draws.
void catalogue.init({
  resources: words,
  ns: namespaces,
  defaultNS: 'emails',
  fallbackLng: 'en',
  returnEmptyString: false,
  interpolation: { escapeValue: false },
});

/**
 * Reads the catalog in a language; a text that is missing in it is read in English. Keys without a namespace
 * are those of `emails`. Typed text may be passed as it is: it stays text, whatever it looks like.
 */
export const translate = (language: Language) => catalogue.getFixedT(language, namespaces);
