import { useTranslation } from 'react-i18next';
import { searchPeople, type Contact } from '#contract/contacts/endpoints.ts';
import { Refused } from '../../core/errors.ts';
import { useCall } from '../../core/queries.ts';
import { QueryView } from '../../core/query-view.tsx';
import { Section } from '../../ui/surfaces.tsx';
import { FoundList } from './found-list.tsx';

/** Everyone who can be found by a text that has stopped changing, except those who are above already. */
export function PeopleSearch({ text, above }: { text: string; above: readonly Contact[] }) {
  const { t } = useTranslation('contacts');
  const found = useCall(searchPeople, { text }, { quiet: true, staleTime: 30_000 });
  const shown = new Set(above.map(({ person }) => person.id));
  const isShort = found.error instanceof Refused && found.error.reason === 'contact.searchShort';
  return (
    <Section title={t('search.people')}>
      <QueryView
        query={found}
        failed={t('search.failed')}
        skeleton={{ rows: 2 }}
        isMissing={isShort}
        {...(isShort ? { missing: <p className="text-body text-ink-2">{t('search.short')}</p> } : {})}
      >
        {({ people }) => {
          const others = people.filter(({ person }) => !shown.has(person.id));
          return others.length === 0 ? (
            <output className="block text-body text-ink-2">{t('search.none', { text })}</output>
          ) : (
            <FoundList people={others} label={t('search.people')} />
          );
        }}
      </QueryView>
    </Section>
  );
}
