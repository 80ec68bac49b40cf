/**
 * Checks what people read for the flagged words of `docs/interface-words.md`: the catalogs in `locales` and
 * the sentences in the code of the server and the contract; and comments for the private words of
 * `docs/glossary.md`. Fails when it finds one, and when it has read no word or no text of a kind.
 */
import { glob, readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { commentsOf, sentencesOf } from './words/code-texts.ts';
import { findFlagged, flaggedWords, textsOf, type Text } from './words/flagged.ts';

const root = path.resolve(import.meta.dirname, '..');

async function catalogOf(language: string): Promise<Text[]> {
  const folder = path.join(root, 'locales', language);
  const files = (await readdir(folder)).filter((name) => name.endsWith('.json'));
  const texts = files.map(async (name) => {
    const content: unknown = JSON.parse(await readFile(path.join(folder, name), 'utf8'));
    return textsOf(content, `${language}.${name.replace('.json', '')}`);
  });
  return (await Promise.all(texts)).flat();
}

/** The talk of the demo community's people in `server/seed` is theirs. */
async function sentencesOfCode(): Promise<Text[]> {
  const texts: Text[] = [];
  for await (const file of glob('{server,contract}/**/*.ts', { cwd: root }))
    if (!/\.test\.ts$|^server\/(?:seed|testing)\//.test(file))
      texts.push(...sentencesOf(file, await readFile(path.join(root, file), 'utf8')));
  return texts;
}

async function commentsOfCode(allowed: readonly string[]): Promise<Text[]> {
  const texts: Text[] = [];
  for await (const file of glob(
    '{server,contract,roads,web,e2e,stripe-sandbox,bench,scripts}/**/*.{ts,tsx,mjs}',
    { cwd: root },
  ))
    texts.push(...commentsOf(file, await readFile(path.join(root, file), 'utf8'), allowed));
  return texts;
}

const pageOf = (name: string) => readFile(path.join(root, 'docs', name), 'utf8');
const interfaceWords = await pageOf('interface-words.md');
const glossary = await pageOf('glossary.md');
const sentences = await sentencesOfCode();
const comments = await commentsOfCode(flaggedWords(glossary, 'Private words', 2));
const checks = [
  { page: interfaceWords, heading: 'Flagged words', texts: await catalogOf('en') },
  { page: interfaceWords, heading: 'Flagged words', texts: sentences },
  { page: interfaceWords, heading: 'Flagged Chinese words', texts: await catalogOf('zh') },
  { page: interfaceWords, heading: 'Flagged Chinese words', texts: sentences },
  { page: glossary, heading: 'Private words', texts: comments },
];
for (const { page, heading, texts } of checks) {
  const words = flaggedWords(page, heading);
  const found = findFlagged(texts, words);
  for (const { key, word, text } of found) process.stderr.write(`${key}: “${word}” in “${text}”\n`);
  process.stdout.write(`${texts.length} texts, ${words.length} flagged words, ${found.length} found\n`);
  if (words.length === 0 || texts.length === 0 || found.length > 0) process.exitCode = 1;
}
