import { Link } from '@tanstack/react-router';
import { ContactRound, FileUp } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { importContacts, importSalt, type FoundPerson } from '#contract/contacts/endpoints.ts';
import { call } from '../../core/api.ts';
import { errorWords } from '../../core/errors.ts';
import { useSession } from '../../core/session.ts';
import { Button, buttonLook } from '../../ui/button.tsx';
import { Banner, Card, Section } from '../../ui/surfaces.tsx';
import { mostBytes, tidyName, type BookEntry } from './book/entry.ts';
import { hashNumbers, numbersOf } from './book/numbers.ts';
import { readBook } from './book/read-file.ts';
import { FoundList } from './found-list.tsx';
import { useNowRelated } from './now-related.ts';

/** The Contact Picker, where the browser has one. https://w3c.github.io/contact-picker/ */
interface ContactPicker {
  select: (
    properties: ('name' | 'tel')[],
    options: { multiple: true },
  ) => Promise<{ name?: string[]; tel?: string[] }[]>;
}
const pickerOf = (): ContactPicker | null =>
  'contacts' in navigator ? (navigator.contacts as ContactPicker) : null;

interface Found {
  people: FoundPerson[];
  /** The name in the address book, by the person's id. */
  names: Map<string, string>;
  numbers: number;
}

/** Compares an address book with those who can be found by phone. Numbers leave the browser only as salted hashes. */
export function BookImport() {
  const { t } = useTranslation('contacts');
  const { user } = useSession();
  const [busy, setBusy] = useState(false);
  const [trouble, setTrouble] = useState('');
  const [found, setFound] = useState<Found | null>(null);
  const picker = pickerOf();

  const compare = async (entries: readonly BookEntry[]) => {
    const numbers = numbersOf(entries, user.phoneRegion);
    if (numbers.size === 0) {
      setTrouble(t('book.nothing'));
      return;
    }
    const { salt } = await call(importSalt, {}, { quiet: true });
    const hashed = await hashNumbers(salt, numbers);
    const inBook = [...hashed.values()];
    const { people } = await call(importContacts, { hashes: [...hashed.keys()] }, { quiet: true });
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

  return (
    <Section title={t('book.title')}>
      <Card className="flex flex-col gap-3">
        <p className="text-body text-ink-2">{t('book.text')}</p>
        {picker !== null && (
          <Button
            full
            busy={busy}
            icon={<ContactRound aria-hidden className="size-5" />}
            onClick={() => void pick(picker)}
          >
            {t('book.pick')}
          </Button>
        )}
        <label
          className={`${buttonLook({ tone: picker === null ? 'primary' : 'quiet', full: true })} cursor-pointer has-focus-visible:outline-3 has-focus-visible:outline-offset-2 has-focus-visible:outline-brand-ink`}
        >
          <FileUp aria-hidden className="size-5" />
          {t(busy ? 'book.reading' : 'book.file')}
          <input
            type="file"
            accept=".vcf,.vcard,.csv,text/vcard,text/x-vcard,text/csv"
            className="sr-only"
            disabled={busy}
            onChange={(event) => {
              void readFile(event.target.files?.[0]);
              event.target.value = '';
            }}
          />
        </label>
        <details className="text-small text-ink-2">
          <summary className="flex min-h-11 cursor-pointer items-center font-semibold text-brand-ink">
            {t('book.how')}
          </summary>
          <p>{t('book.howText')}</p>
        </details>
      </Card>
      {trouble !== '' && <Banner kind="danger">{trouble}</Banner>}
      {found !== null && found.people.length === 0 && (
        <Banner
          kind="info"
          action={
            <Link to="/pages/account/invite" className="font-semibold underline-offset-4 hover:underline">
              {t('add.invite')}
            </Link>
          }
        >
          {t('book.nobody', { count: found.numbers })}
        </Banner>
      )}
      {found !== null && found.people.length > 0 && (
        <Section title={t('book.found')}>
          <LiveFound found={found} />
        </Section>
      )}
    </Section>
  );
}

function LiveFound({ found }: { found: Found }) {
  const { t } = useTranslation('contacts');
  const people = useNowRelated(found.people);
  const asIn = ({ person }: FoundPerson) => {
    const name = found.names.get(person.id) ?? '';
    return name === '' ? '' : t('book.asIn', { name });
  };
  return <FoundList people={people} label={t('book.found')} detailOf={asIn} />;
}
