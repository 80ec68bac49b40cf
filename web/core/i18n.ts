import { createInstance } from 'i18next';
import { initReactI18next } from 'react-i18next';
import type about from '../locales/en/about.json';
import type access from '../locales/en/access.json';
import type admin from '../locales/en/admin.json';
import type alerts from '../locales/en/alerts.json';
import type chat from '../locales/en/chat.json';
import type common from '../locales/en/common.json';
import type contacts from '../locales/en/contacts.json';
import type demo from '../locales/en/demo.json';
import type discover from '../locales/en/discover.json';
import type events from '../locales/en/events.json';
import type geo from '../locales/en/geo.json';
import type legal from '../locales/en/legal.json';
import type notifications from '../locales/en/notifications.json';
import type people from '../locales/en/people.json';
import type payments from '../locales/en/payments.json';
import type planning from '../locales/en/planning.json';
import type reasons from '../locales/en/reasons.json';
import type reviews from '../locales/en/reviews.json';
import type rides from '../locales/en/rides.json';
import type safety from '../locales/en/safety.json';
import type series from '../locales/en/series.json';
import type settings from '../locales/en/settings.json';
import type vehicles from '../locales/en/vehicles.json';
import { stored } from './stored.ts';

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'common';
    returnNull: false;
    resources: {
      about: typeof about;
      access: typeof access;
      admin: typeof admin;
      alerts: typeof alerts;
      chat: typeof chat;
      common: typeof common;
      contacts: typeof contacts;
      demo: typeof demo;
      discover: typeof discover;
      events: typeof events;
      geo: typeof geo;
      legal: typeof legal;
      notifications: typeof notifications;
      people: typeof people;
      payments: typeof payments;
      planning: typeof planning;
      reasons: typeof reasons;
      reviews: typeof reviews;
      rides: typeof rides;
      safety: typeof safety;
      series: typeof series;
      settings: typeof settings;
      vehicles: typeof vehicles;
    };
  }
}

export const languages = ['en', 'zh'] as const;
export type Language = (typeof languages)[number];
const isLanguage = (value: unknown): value is Language => languages.some((language) => language === value);

const chosen = stored('language', (raw): Language | null => (isLanguage(raw) ? raw : null));

export const i18n = createInstance();

const loaders: Record<Language, () => Promise<{ words: Record<string, object> }>> = {
  en: () => import('../locales/en.ts'),
  zh: () => import('../locales/zh.ts'),
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
  // Only the first one decides: a browser that lists Chinese after English belongs to a person who reads English.
  return navigator.languages[0]?.toLowerCase().startsWith('zh') === true ? 'zh' : 'en';
}

/** Loads the words of the person's language (English too, as the fallback) before the first screen is drawn. */
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
    // A refusal can lack the figure its sentence names; the placeholder stays visible to `errorWords`, which then uses `info`.
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
