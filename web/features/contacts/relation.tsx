import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { Contact } from '#contract/contacts/endpoints.ts';
import { List, ListRow, RowContent, rowVariants } from '../../ui/surfaces.tsx';
import type { Tag } from './with-contacts.tsx';

/** What I noted about a contact, and how we met. */
export function Relation({ contact, tags }: { contact: Contact; tags: readonly Tag[] }) {
  const { t } = useTranslation('contacts');
  return (
    <List label={t('person.about')}>
      <ListRow title={t('person.remark')} trailing={contact.remark || t('person.noRemark')} />
      {contact.tagIds.length === 0 && <ListRow title={t('person.tags')} trailing={t('person.noTags')} />}
      {tags
        .filter((tag) => contact.tagIds.includes(tag.id))
        .map((tag) => (
          <li key={tag.id}>
            <Link to="/pages/contact/tagdetail" search={{ id: tag.id }} className={rowVariants}>
              <RowContent title={tag.name} detail={t('person.tags')} chevron />
            </Link>
          </li>
        ))}
      <ListRow title={t('person.origin')} trailing={t(`origins.${contact.origin}`)} />
    </List>
  );
}
