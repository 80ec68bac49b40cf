import { useTranslation } from 'react-i18next';
import { usePageTitle } from '../../core/navigation.ts';
import { BookImport } from '../../features/contacts/book-import.tsx';
import { groupByInitial } from '../../features/contacts/by-initial.ts';
import { ContactList } from '../../features/contacts/contact-list.tsx';
import { WithContacts } from '../../features/contacts/with-contacts.tsx';
import { PageLayout } from '../../ui/page-layout.tsx';
import { Section } from '../../ui/surfaces.tsx';

/** Who of my own address book is here, and my contacts from A to Z. */
export function Page() {
  const { t } = useTranslation('contacts');
  return (
    <PageLayout title={usePageTitle()} back>
      <BookImport />
      <WithContacts>
        {(contacts, tags) =>
          contacts.length > 0 && (
            <>
              <div>
                <h2 className="text-lead">{t('book.mine')}</h2>
                <p className="text-small text-ink-3">{t('list.count', { count: contacts.length })}</p>
              </div>
              {groupByInitial(contacts).map(({ initial, members }) => (
                <Section key={initial} title={initial}>
                  <ContactList contacts={members} tags={tags} label={initial} />
                </Section>
              ))}
            </>
          )
        }
      </WithContacts>
    </PageLayout>
  );
}
