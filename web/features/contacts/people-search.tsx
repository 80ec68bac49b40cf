import { useTranslation } from 'react-i18next';
import { searchPeople, type Contact } from '#contract/contacts/endpoints.ts';
import { errorWords, Refused } from '../../core/errors.ts';
import { useCall } from '../../core/queries.ts';
import { Skeleton } from '../../ui/skeleton.tsx';
import { ErrorState, Section } from '../../ui/surfaces.tsx';
import { FoundList } from './found-list.tsx';

/** Everyone who can be found by a text that has stopped changing, besides those who stand above already. */
export function PeopleSearch({ text, above }: { text: string; above: readonly Contact[] }) {
  const { t } = useTranslation(['contacts', 'common']);
  const { data, error, isPending, refetch } = useCall(
    searchPeople,
    { text },
    { quiet: true, staleTime: 30_000 },
  );
  const shown = new Set(above.map(({ person }) => person.id));
  const others = data?.people.filter(({ person }) => !shown.has(person.id)) ?? [];
  const isShort = error instanceof Refused && error.reason === 'contact.searchShort';
  return (
    <Section title={t('contacts:search.people')}>
      {isPending ? (
        <Skeleton label={t('common:loading')} rows={2} />
      ) : isShort ? (
        <p className="text-body text-ink-2">{t('contacts:search.short')}</p>
      ) : data === undefined ? (
        <ErrorState
          title={t('contacts:search.failed')}
          text={errorWords(error)}
          retryLabel={t('common:retry')}
          onRetry={() => void refetch()}
        />
      ) : others.length === 0 ? (
        <output className="block text-body text-ink-2">{t('contacts:search.none', { text })}</output>
      ) : (
        <FoundList people={others} label={t('contacts:search.people')} />
      )}
    </Section>
  );
}
