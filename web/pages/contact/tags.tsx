import { Link } from '@tanstack/react-router';
import { Tag, Tags } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { usePageTitle } from '../../base/navigation.ts';
import { WithContacts } from '../../rooms/contacts/with-contacts.tsx';
import { Page as Frame } from '../../ui/page.tsx';
import { EmptyState, List, RowContent, rowLook } from '../../ui/surfaces.tsx';

/** My tags and how many people each holds. */
export function Page() {
  const { t } = useTranslation('contacts');
  return (
    <Frame title={usePageTitle()} back>
      <WithContacts>
        {(_contacts, tags) =>
          tags.length === 0 ? (
            <EmptyState icon={<Tags />} title={t('tags.emptyTitle')} text={t('tags.emptyText')} />
          ) : (
            <>
              <List label={t('tags.label')}>
                {tags.map((tag) => (
                  <li key={tag.id}>
                    <Link to="/pages/contact/tagdetail" search={{ id: tag.id }} className={rowLook}>
                      <RowContent
                        leading={<Tag aria-hidden className="text-ink-2" />}
                        title={tag.name}
                        trailing={t('tags.size', { count: tag.size })}
                        chevron
                      />
                    </Link>
                  </li>
                ))}
              </List>
              <p className="px-1 text-small text-ink-3">{t('tags.use')}</p>
            </>
          )
        }
      </WithContacts>
    </Frame>
  );
}
