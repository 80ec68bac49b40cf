import { parseSync } from 'vite';
import type { Text } from './flagged.ts';

/** Names of code, in backticks or of a parameter, are no words of a comment. */
const code = /`[^`]*`|@param [\w.]+/g;

/**
 * The comments of a file, each with its line; comments on lines that follow one another are one text.
 * @param allowed phrases that a flagged word may be part of
 */
export function commentsOf(file: string, source: string, allowed: readonly string[]): Text[] {
  const { comments, errors } = parseSync(file, source);
  if (errors.length > 0) throw new Error(`${file} cannot be parsed: ${errors[0]?.message ?? ''}`);
  const texts: (Text & { end: number })[] = [];
  for (const { value, start, end } of comments) {
    const last = texts.at(-1);
    if (last !== undefined && source.slice(last.end, start).trim() === '') {
      last.text += ` ${value}`;
      last.end = end;
    } else texts.push({ key: `${file}:${source.slice(0, start).split('\n').length}`, text: value, end });
  }
  return texts.map(({ key, text }) => {
    const words = text.replaceAll(code, '…').replaceAll(/\s+(?:\* )?/g, ' ');
    return {
      key,
      text: allowed.reduce((left, phrase) => left.replaceAll(new RegExp(phrase, 'gi'), '…'), words).trim(),
    };
  });
}
