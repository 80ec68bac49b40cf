import { localeOf, numberFormat, plainSpaces, type Language } from './intl.ts';

const kilobyte = 1000;
const megabyte = 1000 * kilobyte;

/** The size of a file as file managers tell it: `640 kB`, `12 MB`, and below ten of them `1.2 MB`. */
export function fileSize(bytes: number, language: Language): string {
  // Sizes that would round to 1,000 kB are 1 MB.
  const isSmall = bytes < megabyte - kilobyte / 2;
  const value = Math.max(1, bytes / kilobyte) / (isSmall ? 1 : kilobyte);
  return plainSpaces(
    numberFormat(localeOf(language), {
      style: 'unit',
      unit: isSmall ? 'kilobyte' : 'megabyte',
      unitDisplay: 'short',
      maximumFractionDigits: !isSmall && value < 10 ? 1 : 0,
    }).format(value),
  );
}
