import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { listContacts, listTags, type Contact } from '#contract/contacts/endpoints.ts';
import type { OutputOf } from '#contract/define.ts';
import { useCall } from '../../core/queries.ts';
import { bothOf, QueryView } from '../../core/query-view.tsx';

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
  const { t } = useTranslation('contacts');
  const contacts = useCall(listContacts, {}, { quiet: true });
  const tags = useCall(listTags, {}, { quiet: true });
  return (
    <QueryView query={bothOf(contacts, tags)} failed={t('list.failed')} skeleton={{ rows: 6 }}>
      {([mine, own]) => children(mine.contacts, own.tags, mine)}
    </QueryView>
  );
}
