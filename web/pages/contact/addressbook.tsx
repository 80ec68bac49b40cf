import { useTranslation } from 'react-i18next';
import { usePageTitle } from '../../base/navigation.ts';
import { groupByInitial } from '../../rooms/contacts/address-book.ts';
import { ContactList } from '../../rooms/contacts/contact-list.tsx';
import { NoContacts } from '../../rooms/contacts/no-contacts.tsx';
import { WithContacts } from '../../rooms/contacts/with-contacts.tsx';
import { Page as Frame } from '../../ui/page.tsx';
import { Section } from '../../ui/surfaces.tsx';

/** My contacts from A to Z. */
export function Page() {
  const { t } = useTranslation('contacts');
  return (
    <Frame title={usePageTitle()} back>
      <WithContacts>
        {(contacts, tags) =>
          contacts.length === 0 ? (
            <NoContacts />
          ) : (
            <>
              <p className="text-small text-ink-3">{t('list.count', { count: contacts.length })}</p>
              {groupByInitial(contacts).map(({ initial, members }) => (
                <Section key={initial} title={initial}>
                  <ContactList contacts={members} tags={tags} label={initial} />
                </Section>
              ))}
            </>
          )
        }
      </WithContacts>
    </Frame>
  );
}
