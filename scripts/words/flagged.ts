/** A text that a person reads, with where it is: `rides.ask.accept`, or a file of the server. */
export interface Text {
  key: string;
  text: string;
}

/** The words in a column of the table below a heading: the flagged ones in the first. */
export function flaggedWords(markdown: string, heading: string, column = 1): string[] {
  const [, below = ''] = markdown.split(`\n## ${heading}\n`);
  const [section = ''] = below.split('\n## ');
  return section
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .flatMap((line) =>
      [...(line.split('|')[column] ?? '').matchAll(/`([^`]+)`/g)].map(([, word = '']) => word),
    );
}

/** Every text of a file of the catalog, whatever it is nested in. */
export function textsOf(content: unknown, key: string): Text[] {
  if (typeof content === 'string') return [{ key, text: content }];
  if (typeof content !== 'object' || content === null) return [];
  return Object.entries(content).flatMap(([name, value]) => textsOf(value, `${key}.${name}`));
}

/**
 * Where a flagged word is used, in any case; a name in double braces is no text. A word of Latin letters
 * counts as a whole word only; Chinese has no spaces between words.
 */
export function findFlagged(texts: readonly Text[], words: readonly string[]): (Text & { word: string })[] {
  const patterns = words.map((word) => {
    const escaped = word.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
    return { word, pattern: new RegExp(/^\w/.test(word) ? `(?<!\\w)${escaped}(?!\\w)` : escaped, 'i') };
  });
  return texts.flatMap(({ key, text }) => {
    const read = text.replaceAll(/\{\{[^}]*\}\}/g, '…');
    return patterns.flatMap(({ word, pattern }) => (pattern.test(read) ? [{ key, text, word }] : []));
  });
}
