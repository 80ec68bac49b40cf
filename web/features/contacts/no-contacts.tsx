import { Link } from '@tanstack/react-router';
import { Users } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { buttonVariants } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/surfaces.tsx';

/** No contacts yet: an invitation. */
export function NoContacts() {
  const { t } = useTranslation('contacts');
  return (
    <EmptyState
      icon={<Users />}
      title={t('list.emptyTitle')}
      text={t('list.emptyText')}
      action={
        <Link to="/pages/contact/add" className={buttonVariants({ small: true })}>
          {t('list.invite')}
        </Link>
      }
    />
  );
}
