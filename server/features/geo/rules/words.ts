import spellings from './spellings.json' with { type: 'json' };

/** The directions before the name of a street with two halves, in full and abbreviated. */
export const directions: ReadonlySet<string> = new Set('n s e w north south east west'.split(' '));

/** The other spellings of a word: a search for one of them matches all. */
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
