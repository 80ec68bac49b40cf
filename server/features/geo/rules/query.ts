import states from './us-states.json' with { type: 'json' };
import { wordsOf } from './words.ts';

/** The parsed text of a place search. */
export interface PlaceQuery {
  /** The words before the first comma, all of which a place must have. */
  words: string[];
  /** Words after the first comma: town, state, postcode. A place that has them is preferred. */
  context: string[];
  /** A house number and the words around it, where the text may be an address. */
  address: { houseNumber: number; suffix: string; words: string[] } | null;
}

const houseNumber = /^(\d{1,6})([a-z]?)$/;

/** Words inside names that people often leave out or write as a sign. */
const joining = new Set(['and', 'the']);
/** ZIP+4: the four digits are finer than any map. */
const zipPlusFour = /\b(\d{5})-\d{4}\b/g;

/** A state, the country or both at the end of lower-case words; the index is where they begin. */
const stateAtEnd = new RegExp(
  `(?:^| )(?:(?:${[...Object.keys(states), ...Object.values(states)].join('|')})(?: usa| us)?|usa)$`,
);

export function readQuery(text: string): PlaceQuery {
  const typed = text.replaceAll(zipPlusFour, '$1');
  const comma = typed.indexOf(',');
  const head = wordsOf(comma < 0 ? typed : typed.slice(0, comma));
  const tail = comma < 0 ? [] : wordsOf(typed.slice(comma + 1));
  const [all, around] = head.length === 0 ? [tail, []] : [head, tail];
  const words = withoutState(withoutJoining(all), 1);
  return { words, context: withoutState(around, 0), address: addressIn(words) };
}

const withoutJoining = (words: readonly string[]): string[] => {
  const telling = words.filter((word) => !joining.has(word));
  return telling.length > 0 ? telling : [...words];
};

/**
 * Removes the state and the country at the end: all places nearby are in them.
 * @param fewest how many words remain at least.
 */
function withoutState(words: readonly string[], fewest: number): string[] {
  const text = words.join(' ');
  const state = stateAtEnd.exec(text);
  if (state === null) return [...words];
  const rest = text.slice(0, state.index).split(' ').filter(Boolean);
  // "University of California" and "Avenue of the Americas" end in a state or country that belongs to the
  // name.
  return rest.length < fewest || rest.at(-1) === 'of' ? [...words] : rest;
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

/**
 * A text-search query: every word is the prefix of some word of the place; `weights` limits the fields, for
 * example `A`: the name.
 */
export const allOf = (words: readonly string[], weights = ''): string =>
  words.map((word) => `'${word}':*${weights}`).join(' & ');

/** As `allOf`, with at least one word. */
export const anyOf = (words: readonly string[], weights = ''): string =>
  words.map((word) => `'${word}':*${weights}`).join(' | ');
