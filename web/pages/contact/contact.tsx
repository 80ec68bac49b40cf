import { Link } from '@tanstack/react-router';
import { BookUser, Search, Tags, UserPlus } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { usePageTitle } from '../../core/navigation.ts';
import { Applications } from '../../features/contacts/applications.tsx';
import { BlockedPeople } from '../../features/contacts/blocked-people.tsx';
import { ContactList } from '../../features/contacts/contact-list.tsx';
import { NoContacts } from '../../features/contacts/no-contacts.tsx';
import { WithContacts } from '../../features/contacts/with-contacts.tsx';
import { Chip, ChipRow } from '../../ui/chips.tsx';
import { PageLayout } from '../../ui/page-layout.tsx';
import { List, RowContent, rowVariants } from '../../ui/surfaces.tsx';

const tools = [
  ['search', '/pages/contact/search', Search],
  ['add', '/pages/contact/add', UserPlus],
] as const;

const otherViews = [
  ['addressBook', '/pages/contact/addressbook', BookUser],
  ['tags', '/pages/contact/tags', Tags],
] as const;

/** Contacts: the people I know, all or by tag. */
export function Page() {
  const { t } = useTranslation('contacts');
  const [tagId, setTagId] = useState<string | null>(null);
  return (
    <PageLayout
      title={usePageTitle()}
      back
      tools={tools.map(([word, to, Icon]) => (
        <Link
          key={to}
          to={to}
          aria-label={t(`tools.${word}`)}
          title={t(`tools.${word}`)}
          className="inline-grid size-11 shrink-0 place-items-center rounded-full hover:bg-ink/6"
        >
          <Icon aria-hidden />
        </Link>
      ))}
    >
      <WithContacts>
        {(contacts, tags, { applications, blocked }) => {
          const shown = contacts.filter((contact) => tagId === null || contact.tagIds.includes(tagId));
          return (
            <>
              <Applications applications={applications} />
              {tags.length > 0 && contacts.length > 0 && (
                <ChipRow label={t('list.byTag')}>
                  <Chip selected={tagId === null} onClick={() => setTagId(null)}>
                    {t('list.all')}
                  </Chip>
                  {tags.map((tag) => (
                    <Chip key={tag.id} selected={tagId === tag.id} onClick={() => setTagId(tag.id)}>
                      {tag.name}
                    </Chip>
                  ))}
                </ChipRow>
              )}
              {contacts.length === 0 ? (
                <NoContacts />
              ) : shown.length === 0 ? (
                <p className="text-body text-ink-2">{t('list.emptyTag')}</p>
              ) : (
                <ContactList contacts={shown} tags={tags} label={t('list.label')} />
              )}
              <BlockedPeople people={blocked} />
            </>
          );
        }}
      </WithContacts>
      <List>
        {otherViews.map(([word, to, Icon]) => (
          <li key={to}>
            <Link to={to} className={rowVariants}>
              <RowContent
                leading={<Icon aria-hidden className="text-ink-2" />}
                title={t(`tools.${word}`)}
                chevron
              />
            </Link>
          </li>
        ))}
      </List>
    </PageLayout>
  );
}
