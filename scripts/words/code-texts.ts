import { parseSync, Visitor } from 'vite';
import type { Text } from './flagged.ts';

/** A capital letter or a Chinese character first, more than a word, and a stop at the end. */
const isSentence = /^(?:\p{Lu}.*\s.*[.!?]|\p{Script=Han}.*[。！？])$/su;

/**
 * The sentences in the strings and templates of a file, which people read as refusals, emails or advice to
 * operators; … where a template puts something in. A call's `summary` is documentation.
 */
export function sentencesOf(file: string, source: string): Text[] {
  const { program, errors } = parseSync(file, source);
  if (errors.length > 0) throw new Error(`${file} cannot be parsed: ${errors[0]?.message ?? ''}`);
  const found: { text: string; start: number }[] = [];
  const summaries: { start: number; end: number }[] = [];
  new Visitor({
    Property({ key, value }) {
      if (key.type === 'Identifier' && key.name === 'summary') summaries.push(value);
    },
    Literal({ value, start }) {
      if (typeof value === 'string') found.push({ text: value, start });
    },
    TemplateLiteral({ quasis, start }) {
      found.push({ text: quasis.map(({ value }) => value.cooked ?? '').join('…'), start });
    },
  }).visit(program);
  return found
    .filter(
      ({ text, start }) =>
        isSentence.test(text) && !summaries.some((at) => at.start <= start && start < at.end),
    )
    .map(({ text }) => ({ key: file, text }));
}

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
