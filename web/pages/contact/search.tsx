import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { usePageTitle } from '../../core/navigation.ts';
import { ContactList } from '../../features/contacts/contact-list.tsx';
import { PeopleSearch } from '../../features/contacts/people-search.tsx';
import { searchContacts } from '../../features/contacts/search.ts';
import { WithContacts } from '../../features/contacts/with-contacts.tsx';
import { useSettled } from '../../core/use-settled.ts';
import { focusFirst } from '../../ui/focus.ts';
import { SearchField } from '../../ui/inputs.tsx';
import { PageLayout } from '../../ui/page-layout.tsx';
import { Section } from '../../ui/surfaces.tsx';

/** Asking the server for people waits longer than for places: whole addresses are typed here. */
const stillMs = 400;

/** Finds people: at once among my contacts, then among all who can be found. */
export function Page() {
  const { t } = useTranslation(['contacts', 'common']);
  const [text, setText] = useState('');
  const wanted = text.trim();
  const settled = useSettled(wanted, stillMs);
  return (
    <PageLayout
      title={usePageTitle()}
      back
      header={
        <SearchField
          ref={focusFirst}
          value={text}
          onChange={(typed) => setText(typed.slice(0, 254))}
          label={t('contacts:list.search')}
          clearLabel={t('common:clearSearch')}
        />
      }
    >
      {wanted === '' && <p className="text-small text-ink-3">{t('contacts:list.searchHint')}</p>}
      <WithContacts>
        {(contacts, tags) => {
          const found = searchContacts(contacts, tags, text);
          return (
            <>
              {found.length > 0 && (
                <Section title={t('contacts:list.mine')}>
                  <ContactList contacts={found} tags={tags} label={t('contacts:list.label')} />
                </Section>
              )}
              {wanted !== '' && settled !== '' && <PeopleSearch text={settled} above={found} />}
            </>
          );
        }}
      </WithContacts>
    </PageLayout>
  );
}
