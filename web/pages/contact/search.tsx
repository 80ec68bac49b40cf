import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { usePageTitle } from '../../base/navigation.ts';
import { ContactList } from '../../rooms/contacts/contact-list.tsx';
import { NoContacts } from '../../rooms/contacts/no-contacts.tsx';
import { searchContacts } from '../../rooms/contacts/search.ts';
import { WithContacts } from '../../rooms/contacts/with-contacts.tsx';
import { focusFirst } from '../../ui/focus.ts';
import { SearchField } from '../../ui/inputs.tsx';
import { Page as Frame } from '../../ui/page.tsx';

/** Finds people among my contacts. */
export function Page() {
  const { t } = useTranslation(['contacts', 'common']);
  const [text, setText] = useState('');
  return (
    <Frame
      title={usePageTitle()}
      back
      header={
        <SearchField
          ref={focusFirst}
          value={text}
          onChange={setText}
          label={t('contacts:list.search')}
          clearLabel={t('common:clearSearch')}
        />
      }
    >
      <WithContacts>
        {(contacts, tags) => {
          if (contacts.length === 0) return <NoContacts />;
          const found = searchContacts(contacts, tags, text);
          return (
            <>
              <output className="block text-small text-ink-3">
                {text.trim() === ''
                  ? t('contacts:list.searchHint')
                  : found.length === 0
                    ? t('contacts:list.none', { text: text.trim() })
                    : t('contacts:list.count', { count: found.length })}
              </output>
              {found.length > 0 && (
                <ContactList contacts={found} tags={tags} label={t('contacts:list.label')} />
              )}
            </>
          );
        }}
      </WithContacts>
    </Frame>
  );
}
