import { readCsv } from './csv.ts';
import { mostBytes, textOf, type BookEntry } from './entry.ts';
import { readVcards } from './vcard.ts';

export type BookTrouble = 'tooLarge' | 'nothing';

/** The people of an address book file, whose format is recognized by its content, not by its name. */
export async function readBook(file: Blob): Promise<BookEntry[] | BookTrouble> {
  if (file.size > mostBytes) return 'tooLarge';
  const text = textOf(new Uint8Array(await file.arrayBuffer()));
  const entries = /^\s*\uFEFF?\s*BEGIN:VCARD/i.test(text) ? readVcards(text) : readCsv(text);
  return entries.length === 0 ? 'nothing' : entries;
}
