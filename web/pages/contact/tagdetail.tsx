import { Link } from '@tanstack/react-router';
import { Tag } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { usePageQuery, usePageTitle } from '../../base/navigation.ts';
import { ContactList } from '../../rooms/contacts/contact-list.tsx';
import { WithContacts } from '../../rooms/contacts/with-contacts.tsx';
import { buttonLook } from '../../ui/button.tsx';
import { Page as Frame } from '../../ui/page.tsx';
import { EmptyState } from '../../ui/surfaces.tsx';

/** Who has a tag. */
export function Page() {
  const { t } = useTranslation('contacts');
  const { id } = usePageQuery();
  return (
    <Frame title={usePageTitle()} back>
      <WithContacts>
        {(contacts, tags) => {
          const tag = tags.find((each) => each.id === id);
          if (tag === undefined) {
            return (
              <EmptyState
                icon={<Tag />}
                title={t('tags.gone')}
                action={
                  <Link
                    to="/pages/contact/tags"
                    replace
                    className={buttonLook({ tone: 'quiet', small: true })}
                  >
                    {t('tags.toTags')}
                  </Link>
                }
              />
            );
          }
          const members = contacts.filter((contact) => contact.tagIds.includes(tag.id));
          return (
            <>
              <div>
                <h2 className="text-heading break-words">{tag.name}</h2>
                <p className="text-small text-ink-3">{t('tags.size', { count: members.length })}</p>
              </div>
              {members.length === 0 ? (
                <p className="text-body text-ink-2">{t('list.emptyTag')}</p>
              ) : (
                <ContactList contacts={members} tags={tags} label={tag.name} />
              )}
            </>
          );
        }}
      </WithContacts>
    </Frame>
  );
}
