import { Link } from '@tanstack/react-router';
import { UserRound } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { usePageQuery, usePageTitle } from '../../base/navigation.ts';
import { PersonHead } from '../../rooms/contacts/person-head.tsx';
import { Relation } from '../../rooms/contacts/relation.tsx';
import { WithContacts } from '../../rooms/contacts/with-contacts.tsx';
import { buttonLook } from '../../ui/button.tsx';
import { Page as Frame } from '../../ui/page.tsx';
import { EmptyState } from '../../ui/surfaces.tsx';

/** What I noted about a contact: remark, tags, and how we met. */
export function Page() {
  const { t } = useTranslation('contacts');
  const { id } = usePageQuery();
  return (
    <Frame title={usePageTitle()} back>
      <WithContacts>
        {(contacts, tags) => {
          const contact = contacts.find(({ person }) => person.id === id);
          if (contact === undefined)
            return <EmptyState icon={<UserRound />} title={t('edit.gone')} text={t('edit.goneText')} />;
          return (
            <>
              <PersonHead person={contact.person} />
              <Relation contact={contact} tags={tags} />
              <p className="px-1 text-small text-ink-3">{t('edit.readOnly')}</p>
              <Link
                to="/pages/contact/user"
                search={{ id }}
                className={buttonLook({ tone: 'quiet', full: true })}
              >
                {t('edit.page')}
              </Link>
            </>
          );
        }}
      </WithContacts>
    </Frame>
  );
}
