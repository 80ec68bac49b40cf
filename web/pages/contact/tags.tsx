import { Link, useNavigate } from '@tanstack/react-router';
import { Tag, Tags } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { usePageTitle } from '../../core/navigation.ts';
import { TagNameDialog } from '../../features/contacts/tag-name-dialog.tsx';
import { WithContacts } from '../../features/contacts/with-contacts.tsx';
import { Button } from '../../ui/button.tsx';
import { PageLayout } from '../../ui/page-layout.tsx';
import { EmptyState, List, RowContent, rowVariants } from '../../ui/surfaces.tsx';

/** My tags and how many people each holds. */
export function Page() {
  const { t } = useTranslation('contacts');
  const navigate = useNavigate();
  const [naming, setNaming] = useState({ open: false, times: 0 });
  return (
    <PageLayout
      title={usePageTitle()}
      back
      action={
        <Button full onClick={() => setNaming(({ times }) => ({ open: true, times: times + 1 }))}>
          {t('tags.create')}
        </Button>
      }
    >
      <WithContacts>
        {(_contacts, tags) =>
          tags.length === 0 ? (
            <EmptyState icon={<Tags />} title={t('tags.emptyTitle')} text={t('tags.emptyText')} />
          ) : (
            <>
              <List label={t('tags.label')}>
                {tags.map((tag) => (
                  <li key={tag.id}>
                    <Link to="/pages/contact/tagdetail" search={{ id: tag.id }} className={rowVariants}>
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
      <TagNameDialog
        key={naming.times}
        tag={null}
        open={naming.open}
        onOpenChange={(open) => setNaming(({ times }) => ({ open, times }))}
        onSaved={(made) => void navigate({ to: '/pages/contact/tagdetail', search: { id: made.id } })}
      />
    </PageLayout>
  );
}
