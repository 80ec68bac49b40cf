import { stored } from './stored.ts';

export const languages = ['en', 'zh'] as const;
export type Language = (typeof languages)[number];
export const isLanguage = (value: unknown): value is Language =>
  languages.some((language) => language === value);

/** The language that the person chose in this browser; null for none. */
export const chosenLanguage = stored('language', (raw): Language | null => (isLanguage(raw) ? raw : null));

/** The language in which the app starts. */
export function preferredLanguage(): Language {
  const chosen = chosenLanguage.read();
  if (chosen !== null) return chosen;
  // Only the first one decides: a browser that lists Chinese after English belongs to a person who reads
  // English.
  return navigator.languages[0]?.toLowerCase().startsWith('zh') === true ? 'zh' : 'en';
}
