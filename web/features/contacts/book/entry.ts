/** A person in an address book, with the numbers as they stand there. */
export interface BookEntry {
  name: string;
  numbers: string[];
}

export const mostBytes = 5_000_000;
/** Beyond this no one keeps friends; it also bounds what a made-up file can cost. */
export const mostEntries = 20_000;
const mostCharacters = 120;

/** A name on one line, without what cannot be seen. */
export const tidyName = (text: string): string =>
  text
    .replaceAll(/[\p{Cc}\p{Cs}\u200B\u2060\uFEFF\u202A-\u202E\u2066-\u2069]+/gu, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .slice(0, mostCharacters);

/** The text of a file: UTF-8 or UTF-16 by its mark, and what is neither as Windows wrote it. */
export function textOf(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}
