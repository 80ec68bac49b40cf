import { Link } from '@tanstack/react-router';
import { ContactRound, FileUp } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { FoundPerson } from '#contract/contacts/endpoints.ts';
import { Button, buttonVariants } from '../../ui/button.tsx';
import { Banner, Card, Section } from '../../ui/surfaces.tsx';
import { FoundList } from './found-list.tsx';
import { useBook, type ContactPicker, type Found } from './use-book.ts';
import { useCurrentRelations } from './current-relations.ts';

const pickerOf = (): ContactPicker | null =>
  'contacts' in navigator ? (navigator.contacts as ContactPicker) : null;

/**
 * Compares an address book with those who can be found by phone. Numbers leave the browser only as salted
 * hashes.
 */
export function BookImport() {
  const { t } = useTranslation('contacts');
  const { busy, trouble, found, readFile, pick } = useBook();
  const picker = pickerOf();

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
          className={`${buttonVariants({ tone: picker === null ? 'primary' : 'quiet', full: true })} cursor-pointer has-focus-visible:outline-3 has-focus-visible:outline-offset-2 has-focus-visible:outline-brand-ink`}
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
  const people = useCurrentRelations(found.people);
  const asIn = ({ person }: FoundPerson) => {
    const name = found.names.get(person.id) ?? '';
    return name === '' ? '' : t('book.asIn', { name });
  };
  return <FoundList people={people} label={t('book.found')} detailOf={asIn} />;
}
