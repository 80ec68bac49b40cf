import { UserRound } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useGoBack, usePageSearch, usePageTitle } from '../../core/navigation.ts';
import { NoteForm } from '../../features/contacts/note-form.tsx';
import { PersonHead } from '../../features/contacts/person-head.tsx';
import { WithContacts } from '../../features/contacts/with-contacts.tsx';
import { PageLayout } from '../../ui/page-layout.tsx';
import { EmptyState } from '../../ui/surfaces.tsx';

/** What I note about a contact: remark and tags. */
export function Page() {
  const { t } = useTranslation('contacts');
  const { id } = usePageSearch('/pages/contact/edit');
  const goBack = useGoBack();
  return (
    <PageLayout title={usePageTitle()} back>
      <WithContacts>
        {(contacts, tags) => {
          const contact = contacts.find(({ person }) => person.id === id);
          if (contact === undefined)
            return <EmptyState icon={<UserRound />} title={t('edit.gone')} text={t('edit.goneText')} />;
          return (
            <>
              <PersonHead person={contact.person} note={t(`origins.${contact.origin}`)} />
              <NoteForm key={contact.person.id} contact={contact} tags={tags} onSaved={goBack} />
            </>
          );
        }}
      </WithContacts>
    </PageLayout>
  );
}
