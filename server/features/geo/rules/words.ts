/** Spellings of one word. A search for one of them matches all. */
const spellings: readonly (readonly string[])[] = [
  ['st', 'street'],
  ['st', 'saint'],
  ['ave', 'av', 'avenue'],
  ['blvd', 'boulevard'],
  ['dr', 'drive'],
  ['dr', 'doctor'],
  ['rd', 'road'],
  ['ln', 'lane'],
  ['ct', 'court'],
  ['cir', 'circle'],
  ['pl', 'place'],
  ['plz', 'plaza'],
  ['sq', 'square'],
  ['ter', 'terrace'],
  ['trl', 'trail'],
  ['aly', 'alley'],
  ['hwy', 'highway'],
  ['fwy', 'freeway'],
  ['expy', 'expressway'],
  ['pkwy', 'pky', 'parkway'],
  ['rte', 'route'],
  ['xing', 'crossing'],
  ['hts', 'heights'],
  ['mt', 'mount'],
  ['mtn', 'mountain'],
  ['ft', 'fort'],
  ['pt', 'point'],
  ['n', 'north'],
  ['s', 'south'],
  ['e', 'east'],
  ['w', 'west'],
  ['univ', 'university'],
  ['intl', 'international'],
  ['natl', 'national'],
  ['ctr', 'center', 'centre'],
  ['bldg', 'building'],
  ['apts', 'apartments'],
  ['elem', 'elementary'],
  ['hosp', 'hospital'],
  ['lib', 'library'],
  ['sta', 'station'],
  ['thtr', 'theater', 'theatre'],
  ['1st', 'first'],
  ['2nd', 'second'],
  ['3rd', 'third'],
  ['4th', 'fourth'],
  ['5th', 'fifth'],
  ['6th', 'sixth'],
  ['7th', 'seventh'],
  ['8th', 'eighth'],
  ['9th', 'ninth'],
  ['10th', 'tenth'],
];

/** The directions before the name of a street with two halves, in full and abbreviated. */
export const directions: ReadonlySet<string> = new Set([
  'n',
  's',
  'e',
  'w',
  'north',
  'south',
  'east',
  'west',
]);

const othersOf = new Map<string, string[]>();
for (const group of spellings) {
  for (const word of group)
    othersOf.set(word, [...(othersOf.get(word) ?? []), ...group.filter((other) => other !== word)]);
}

/** The words of a text: lower case, without accents, apostrophes or punctuation. */
export function wordsOf(text: string): string[] {
  return text
    .normalize('NFD')
    .replaceAll(/\p{M}|['’`.]/gu, '')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);
}

/**
 * The words a name is found by: its own in order, then other spellings of each, then the initials of a
 * university.
 */
export function searchWords(name: string): string[] {
  const own = wordsOf(name);
  return [...new Set([...own, ...own.flatMap((word) => othersOf.get(word) ?? []), ...initials(own)])];
}

function initials(words: readonly string[]): string[] {
  if (words.length > 2 && words.at(-1) === 'university') return [words.map((word) => word[0]).join('')];
  if (words[0] !== 'university' || words[1] !== 'of') return [];
  const whole = words.filter((word) => word !== 'of').map((word) => word[0]);
  return [whole.join(''), whole.slice(0, 2).join('')];
}
