/** A text of the catalog, with where it is: `rides.ask.accept`. */
export interface Text {
  key: string;
  text: string;
}

/** The flagged words in the first column of the table below the heading "Flagged words". */
export function flaggedWords(markdown: string): string[] {
  const [, section = ''] = markdown.split('## Flagged words');
  return section
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .flatMap((line) => [...(line.split('|')[1] ?? '').matchAll(/`([^`]+)`/g)].map(([, word = '']) => word));
}

/** Every text of a file of the catalog, whatever it is nested in. */
export function textsOf(content: unknown, key: string): Text[] {
  if (typeof content === 'string') return [{ key, text: content }];
  if (typeof content !== 'object' || content === null) return [];
  return Object.entries(content).flatMap(([name, value]) => textsOf(value, `${key}.${name}`));
}

/** Where a flagged word is used as a whole word, in any case; what stands in double braces is no text. */
export function findFlagged(texts: readonly Text[], words: readonly string[]): (Text & { word: string })[] {
  const patterns = words.map((word) => ({
    word,
    pattern: new RegExp(`(?<!\\w)${word.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')}(?!\\w)`, 'i'),
  }));
  return texts.flatMap(({ key, text }) => {
    const read = text.replaceAll(/\{\{[^}]*\}\}/g, '…');
    return patterns.flatMap(({ word, pattern }) => (pattern.test(read) ? [{ key, text, word }] : []));
  });
}
