import { Link } from '@tanstack/react-router';
import { ChartNoAxesColumn } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { usePageTitle } from '../../base/navigation.ts';
import { buttonLook } from '../../ui/button.tsx';
import { Page as Frame } from '../../ui/page.tsx';
import { EmptyState } from '../../ui/surfaces.tsx';

/** Statistics: this server collects none. */
export function Page() {
  const { t } = useTranslation('about');
  return (
    <Frame title={usePageTitle()} back wide>
      <EmptyState
        icon={<ChartNoAxesColumn />}
        title={t('admin.statisticsTitle')}
        text={t('admin.statisticsEmpty')}
        action={
          <Link to="/pages/admin/admin" className={buttonLook({ tone: 'quiet', small: true })}>
            {t('admin.back')}
          </Link>
        }
      />
    </Frame>
  );
}
