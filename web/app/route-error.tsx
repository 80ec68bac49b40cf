import type { ErrorComponentProps } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { usePageTitle } from '../core/navigation.ts';
import { PageLayout } from '../ui/page-layout.tsx';
import { ErrorState } from '../ui/surfaces.tsx';

/**
 * A page that failed to load or to draw. Starting over also fetches files that a new version has replaced.
 */
export function RouteError(_props: ErrorComponentProps) {
  const { t } = useTranslation();
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
