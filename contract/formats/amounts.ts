import { localeOf, numberFormat, plainSpaces, type Language } from './intl.ts';

const metresPerMile = 1609.344;
const metresPerFoot = 0.3048;
const gramsPerPound = 453.59237;

const dollars = (cents: number, language: Language, digits: 0 | 2): string =>
  numberFormat(localeOf(language), {
    style: 'currency',
    currency: 'USD',
    currencyDisplay: 'narrowSymbol',
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  }).format(cents / 100);

/** Whole cents as an amount that is charged, authorized or refunded: `$12.00`. */
export const money = (cents: number, language: Language): string => dollars(cents, language, 2);

/** Whole cents as a price that people compare: `$12`, `$12.50`. */
export const price = (cents: number, language: Language): string =>
  dollars(cents, language, cents % 100 === 0 ? 0 : 2);

/**
 * Intl writes Chinese units right behind the figure, the catalogs with a space: `剩 2 座`. Two units of one
 * length are parted as well.
 */
const unit = (
  value: number,
  language: Language,
  name: 'mile' | 'foot' | 'meter' | 'kilometer' | 'pound' | 'gram' | 'kilogram' | 'minute' | 'hour' | 'day',
  digits = 0,
): string =>
  plainSpaces(
    numberFormat(localeOf(language), {
      style: 'unit',
      unit: name,
      unitDisplay: name === 'day' ? 'long' : 'short',
      maximumFractionDigits: digits,
    })
      .format(value)
      .replace(/(?<=\d)(?=\p{Script=Han})/u, ' '),
  );

/**
 * Meters as people of the language measure: miles, and feet below a tenth of one (`4.2 mi`, `300 ft`);
 * kilometers, and meters below one (`6.8 公里`, `90 米`).
 */
export function distance(metres: number, language: Language): string {
  if (language === 'zh') {
    if (metres < 995) return unit(Math.round(metres / 10) * 10, language, 'meter');
    return unit(metres / 1000, language, 'kilometer', metres < 10_000 ? 1 : 0);
  }
  const miles = metres / metresPerMile;
  if (miles < 0.1) return unit(Math.round(metres / metresPerFoot / 50) * 50, language, 'foot');
  return unit(miles, language, 'mile', miles < 10 ? 1 : 0);
}

/** Seconds as minutes and hours: `4 min`, `1 hr 12 min`; `1 小时 12 分钟`. */
export function duration(seconds: number, language: Language): string {
  const minutes = Math.round(seconds / 60);
  const hours = Math.floor(minutes / 60);
  const rest = minutes % 60;
  if (hours === 0) return unit(minutes, language, 'minute');
  const parts = [unit(hours, language, 'hour'), ...(rest === 0 ? [] : [unit(rest, language, 'minute')])];
  return parts.join(' ');
}

/** Whole days: `3 days`; `3 天`. */
export const days = (count: number, language: Language): string => unit(count, language, 'day');

/** Grams as pounds (`6.2 lb`); in Chinese as kilograms, and grams below one (`2.8 kg`, `840 g`). */
export function weight(grams: number, language: Language): string {
  if (language === 'en') {
    const pounds = grams / gramsPerPound;
    return unit(pounds, language, 'pound', pounds < 100 ? 1 : 0);
  }
  if (grams < 1000) return unit(Math.round(grams), language, 'gram');
  return unit(grams / 1000, language, 'kilogram', grams < 100_000 ? 1 : 0);
}

/** A share from 0 to 1: `18%`. */
export const percent = (share: number, language: Language): string =>
  numberFormat(localeOf(language), { style: 'percent', maximumFractionDigits: 1 }).format(share);

/** A whole number with its groups: `24,682`. */
export const count = (value: number, language: Language): string =>
  numberFormat(localeOf(language), {}).format(value);
