import { Link } from '@tanstack/react-router';
import { BadgeCheck } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { Contact } from '#contract/contacts/endpoints.ts';
import { Avatar, Rating } from '../../ui/people.tsx';
import { List, RowContent, rowVariants } from '../../ui/surfaces.tsx';
import { relationLine } from './tag-names.ts';
import type { Tag } from './with-contacts.tsx';

/** People I know; each leads to their page. */
export function ContactList({
  contacts,
  tags,
  label,
}: {
  contacts: readonly Contact[];
  tags: readonly Tag[];
  label: string;
}) {
  const { t } = useTranslation(['contacts', 'common']);
  return (
    <List label={label}>
      {contacts.map((contact) => {
        const { person } = contact;
        return (
          <li key={person.id}>
            <Link to="/pages/contact/user" search={{ id: person.id }} className={rowVariants}>
              <RowContent
                leading={<Avatar name={person.name} src={person.avatar} seed={person.id} />}
                title={
                  <span className="inline-flex items-center gap-1.5">
                    {person.name}
                    {person.verifiedDriver && (
                      <>
                        <BadgeCheck aria-hidden className="size-5 shrink-0 text-brand-ink" />
                        <span className="sr-only">{t('contacts:person.verified')}</span>
                      </>
                    )}
                  </span>
                }
                detail={relationLine(contact, tags)}
                trailing={
                  person.rating !== null && (
                    <Rating
                      stars={person.rating}
                      label={t('common:stars', { count: person.rating })}
                      none={t('common:noRating')}
                    />
                  )
                }
                chevron
              />
            </Link>
          </li>
        );
      })}
    </List>
  );
}
