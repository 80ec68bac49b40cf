import { wordsOf } from './words.ts';

/** What a person typed, taken apart. */
export interface PlaceQuery {
  /** All words before the first comma, all of which a place must have. */
  words: string[];
  /** Words after the first comma: town, state, postcode. A place that has them is preferred. */
  context: string[];
  /** A house number and the words around it, where the text may be an address. */
  address: { houseNumber: number; suffix: string; words: string[] } | null;
}

const houseNumber = /^(\d{1,6})([a-z]?)$/;

export function readQuery(text: string): PlaceQuery {
  const comma = text.indexOf(',');
  const head = wordsOf(comma < 0 ? text : text.slice(0, comma));
  const tail = comma < 0 ? [] : wordsOf(text.slice(comma + 1));
  const [words, context] = head.length === 0 ? [tail, []] : [head, tail];
  return { words, context, address: addressIn(words) };
}

// "1156 High St" as here, or "High St 1156" as elsewhere; five digits at the end are a postcode.
function addressIn(words: readonly string[]): PlaceQuery['address'] {
  if (words.length < 2) return null;
  for (const position of [0, words.length - 1]) {
    const [, digits, suffix] = houseNumber.exec(words[position] ?? '') ?? [];
    if (digits === undefined || suffix === undefined || (position > 0 && digits.length === 5)) continue;
    const rest = words.filter((_, index) => index !== position);
    if (rest.join('').length >= 2) return { houseNumber: Number(digits), suffix, words: rest };
  }
  return null;
}

/** The text-search query that every word begins some word of the place; `weights` narrows where, for example `A`: the name. */
export const allOf = (words: readonly string[], weights = ''): string =>
  words.map((word) => `'${word}':*${weights}`).join(' & ');

/** The same with at least one word. */
export const anyOf = (words: readonly string[], weights = ''): string =>
  words.map((word) => `'${word}':*${weights}`).join(' | ');
