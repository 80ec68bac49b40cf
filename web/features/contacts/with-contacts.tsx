import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { listContacts, listTags, type Contact } from '#contract/contacts/endpoints.ts';
import type { OutputOf } from '#contract/define.ts';
import { errorWords } from '../../core/errors.ts';
import { useCall } from '../../core/queries.ts';
import { Skeleton } from '../../ui/skeleton.tsx';
import { ErrorState } from '../../ui/surfaces.tsx';

export type Tag = OutputOf<typeof listTags>['tags'][number];
type Overview = OutputOf<typeof listContacts>;

/**
 * Draws its children with my contacts, my tags and all else between me and others, and says so while they are
 * on their way or cannot be read.
 */
export function WithContacts({
  children,
}: {
  children: (contacts: readonly Contact[], tags: readonly Tag[], all: Overview) => ReactNode;
}) {
  const { t } = useTranslation(['contacts', 'common']);
  const contacts = useCall(listContacts, {}, { quiet: true });
  const tags = useCall(listTags, {}, { quiet: true });
  if (contacts.data !== undefined && tags.data !== undefined)
    return children(contacts.data.contacts, tags.data.tags, contacts.data);
  const error = contacts.error ?? tags.error;
  if (error === null) return <Skeleton label={t('common:loading')} rows={6} />;
  return (
    <ErrorState
      title={t('contacts:list.failed')}
      text={errorWords(error)}
      retryLabel={t('common:retry')}
      onRetry={() => void Promise.all([contacts.refetch(), tags.refetch()])}
    />
  );
}
