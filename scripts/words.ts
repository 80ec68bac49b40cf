/**
 * Checks the English texts for the flagged words of `docs/interface-words.md`: everything that people read is
 * written from the catalogue in `locales/en`. Fails when it finds one, and when it has read no word or no
 * text.
 */
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { flaggedWords, findFlagged, textsOf } from './words/flagged.ts';

const root = path.resolve(import.meta.dirname, '..');
const catalog = path.join(root, 'locales', 'en');

const words = flaggedWords(await readFile(path.join(root, 'docs', 'interface-words.md'), 'utf8'));
const files = (await readdir(catalog)).filter((name) => name.endsWith('.json'));
const texts = await Promise.all(
  files.map(async (name) => {
    const content: unknown = JSON.parse(await readFile(path.join(catalog, name), 'utf8'));
    return textsOf(content, name.replace('.json', ''));
  }),
);
const all = texts.flat();
if (words.length === 0 || all.length === 0) {
  process.stderr.write(`${words.length} flagged words, ${all.length} texts: nothing was checked.\n`);
  process.exit(1);
}
const found = findFlagged(all, words);
for (const { key, word, text } of found) process.stderr.write(`${key}: “${word}” in “${text}”\n`);
process.stdout.write(`${all.length} texts, ${words.length} flagged words, ${found.length} found\n`);
if (found.length > 0) process.exitCode = 1;
