import type { ErrorComponentProps } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { renewWhereGone } from '../core/installed-app.ts';
import { usePageTitle } from '../core/navigation.ts';
import { PageLayout } from '../ui/page-layout.tsx';
import { ErrorState } from '../ui/surfaces.tsx';

/**
 * A page that failed to load or to draw. Where its files are gone with a version that the server no longer
 * has, the newer one comes by itself.
 */
export function RouteError(_props: ErrorComponentProps) {
  const { t } = useTranslation();
  useEffect(() => void renewWhereGone(), []);
  return (
    <PageLayout title={usePageTitle()} back>
      <ErrorState
        title={t('trouble.title')}
        text={t('trouble.text')}
        retryLabel={t('retry')}
        onRetry={() => location.reload()}
      />
    </PageLayout>
  );
}
