import { Link } from '@tanstack/react-router';
import { IdCard } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { usePageTitle } from '../../base/navigation.ts';
import { buttonLook } from '../../ui/button.tsx';
import { Page as Frame } from '../../ui/page.tsx';
import { EmptyState } from '../../ui/surfaces.tsx';

/** Driver licenses waiting for review: none, as this server takes no photos. */
export function Page() {
  const { t } = useTranslation('about');
  return (
    <Frame title={usePageTitle()} back wide>
      <EmptyState
        icon={<IdCard />}
        title={t('admin.licensesTitle')}
        text={t('admin.licensesEmpty')}
        action={
          <Link to="/pages/admin/admin" className={buttonLook({ tone: 'quiet', small: true })}>
            {t('admin.back')}
          </Link>
        }
      />
    </Frame>
  );
}
