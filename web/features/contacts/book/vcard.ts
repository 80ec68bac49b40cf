import { mostEntries, tidyName, type BookEntry } from './entry.ts';

interface Property {
  name: string;
  parameters: string;
  value: string;
}

/** The cards of a vCard file, version 2.1, 3.0 or 4.0; those without a number are left out. */
export function readVcards(text: string): BookEntry[] {
  const entries: BookEntry[] = [];
  let card: { formatted: string; parts: string; numbers: string[] } | null = null;
  for (const line of unfold(text)) {
    const property = readProperty(line);
    if (property === null) continue;
    const { name, value } = property;
    if (name === 'BEGIN' && /^vcard$/i.test(value.trim())) card = { formatted: '', parts: '', numbers: [] };
    else if (card === null) continue;
    else if (name === 'END') {
      if (card.numbers.length > 0)
        entries.push({ name: card.formatted || card.parts, numbers: card.numbers });
      if (entries.length >= mostEntries) return entries;
      card = null;
    } else if (name === 'FN') card.formatted ||= tidyName(plain(property));
    else if (name === 'N') card.parts ||= nameOf(property);
    else if (name === 'TEL') {
      // RFC 3966: parameters such as an extension follow the number.
      const number = plain(property).replace(/^tel:/i, '').split(';')[0]!.trim();
      if (number !== '' && card.numbers.length < 50) card.numbers.push(number.slice(0, 40));
    }
  }
  return entries;
}

/**
 * Lines as they were before they were folded: at a space (3.0, 4.0), or at a `=` within quoted-printable
 * (2.1).
 */
function unfold(text: string): string[] {
  const lines: string[] = [];
  let isQuoted = false;
  for (const line of text.split(/\r\n|\n|\r/)) {
    const last = lines.length - 1;
    if (isQuoted && last >= 0) lines[last] = lines[last]!.slice(0, -1) + line;
    else if (/^[ \t]/.test(line) && last >= 0) lines[last] += line.slice(1);
    else lines.push(line);
    const now = lines.at(-1) ?? '';
    isQuoted = now.endsWith('=') && /^[^:]*quoted-printable/i.test(now);
  }
  return lines;
}

function readProperty(line: string): Property | null {
  const head = /^(?:[\w-]+\.)?([\w-]+)((?:;(?:[^":]|"[^"]*")*)?):/.exec(line);
  if (head === null) return null;
  return { name: head[1]!.toUpperCase(), parameters: head[2]!, value: line.slice(head[0].length) };
}

const decoded = ({ parameters, value }: Property): string =>
  /quoted-printable/i.test(parameters) ? unquote(value, /charset="?([\w-]+)/i.exec(parameters)?.[1]) : value;

const plain = (property: Property): string =>
  decoded(property).replaceAll(/\\([\\;,nN])/g, (_, letter: string) => (/n/i.test(letter) ? ' ' : letter));

/** `Family;Given;Additional;Prefix;Suffix` as people say it. */
function nameOf(property: Property): string {
  const parts = decoded(property)
    .split(/(?<!\\);/)
    .map((part) => plain({ name: '', parameters: '', value: part }).trim());
  const [family = '', given = '', additional = ''] = parts;
  const isHan = /\p{Script=Han}/u.test(family + given);
  return tidyName(isHan ? `${family}${given}` : [given, additional, family].filter(Boolean).join(' '));
}

function unquote(value: string, charset = 'utf-8'): string {
  const bytes: number[] = [];
  for (let at = 0; at < value.length; at++) {
    const hex = /^=[0-9a-f]{2}/i.exec(value.slice(at, at + 3));
    if (hex === null) bytes.push(...new TextEncoder().encode(String.fromCodePoint(value.codePointAt(at)!)));
    else {
      bytes.push(Number.parseInt(hex[0].slice(1), 16));
      at += 2;
    }
    if (value.codePointAt(at)! > 0xffff) at += 1;
  }
  try {
    return new TextDecoder(charset).decode(new Uint8Array(bytes));
  } catch {
    return new TextDecoder().decode(new Uint8Array(bytes));
  }
}
