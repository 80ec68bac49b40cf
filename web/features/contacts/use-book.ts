import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { importContacts, importSalt, type FoundPerson } from '#contract/contacts/endpoints.ts';
import { call } from '../../core/api.ts';
import { errorWords } from '../../core/errors.ts';
import { useSession } from '../../core/use-session.ts';
import { mostBytes, tidyName, type BookEntry } from './book/entry.ts';
import { groupsOf, hashNumbers, numbersOf } from './book/numbers.ts';
import { readBook } from './book/read-file.ts';

/** The Contact Picker, where the browser has one. https://w3c.github.io/contact-picker/ */
export interface ContactPicker {
  select: (
    properties: ('name' | 'tel')[],
    options: { multiple: true },
  ) => Promise<{ name?: string[]; tel?: string[] }[]>;
}

export interface Found {
  people: FoundPerson[];
  /** The name in the address book, by the person's id. */
  names: Map<string, string>;
  numbers: number;
}

/** Reads an address book and compares its numbers, as salted hashes, with those who can be found by phone. */
export function useBook() {
  const { t } = useTranslation('contacts');
  const { user } = useSession();
  const [busy, setBusy] = useState(false);
  const [trouble, setTrouble] = useState('');
  const [found, setFound] = useState<Found | null>(null);

  const compare = async (entries: readonly BookEntry[]) => {
    const numbers = numbersOf(entries, user.phoneRegion);
    if (numbers.size === 0) {
      setTrouble(t('book.nothing'));
      return;
    }
    const { salt } = await call(importSalt, {}, { quiet: true });
    const [hashed, groups] = await Promise.all([hashNumbers(salt, numbers), groupsOf(numbers.keys())]);
    const inBook = [...hashed.values()];
    const { people } = await call(importContacts, { hashes: [...hashed.keys()], groups }, { quiet: true });
    const names = new Map(people.map(({ person, index }) => [person.id, inBook[index] ?? '']));
    setFound({ people, names, numbers: numbers.size });
  };
  const attempt = async (work: () => Promise<void>) => {
    setBusy(true);
    setTrouble('');
    setFound(null);
    try {
      await work();
    } catch (error) {
      setTrouble(errorWords(error));
    } finally {
      setBusy(false);
    }
  };
  const readFile = (file: File | undefined) =>
    file === undefined
      ? undefined
      : attempt(async () => {
          const entries = await readBook(file);
          if (typeof entries !== 'string') await compare(entries);
          else if (entries === 'nothing') setTrouble(t('book.nothing'));
          else setTrouble(t('book.tooLarge', { size: `${mostBytes / 1_000_000} MB` }));
        });
  const pick = async (from: ContactPicker) => {
    try {
      const picked = await from.select(['name', 'tel'], { multiple: true });
      if (picked.length === 0) return;
      const entries = picked.map(({ name = [], tel = [] }) => ({
        name: tidyName(name[0] ?? ''),
        numbers: tel,
      }));
      await attempt(() => compare(entries));
    } catch {
      // Closing the picker is no error.
    }
  };
  return { busy, trouble, found, readFile, pick };
}
