/** The languages of the app and of all that the server writes. */
export type Language = 'en' | 'zh';

/** The locale that a language's dates, numbers and units follow. */
export const localeOf = (language: Language): 'en-US' | 'zh-CN' => (language === 'zh' ? 'zh-CN' : 'en-US');

// Making an Intl formatter costs far more than using one, and lists make thousands of texts.
const dateFormats = new Map<string, Intl.DateTimeFormat>();
const numberFormats = new Map<string, Intl.NumberFormat>();

export function dateFormat(locale: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = locale + JSON.stringify(options);
  const made = dateFormats.get(key) ?? new Intl.DateTimeFormat(locale, options);
  dateFormats.set(key, made);
  return made;
}

export function numberFormat(locale: string, options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const key = locale + JSON.stringify(options);
  const made = numberFormats.get(key) ?? new Intl.NumberFormat(locale, options);
  numberFormats.set(key, made);
  return made;
}

/**
 * The same text with plain spaces. Intl puts narrow and no-break ones before AM and around a dash: a text
 * message with one of them costs twice as much, and two engines disagree about them.
 */
export const plainSpaces = (text: string): string => text.replace(/[\u00a0\u2009\u202f]/g, ' ');
