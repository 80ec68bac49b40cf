import type { ErrorComponentProps } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { usePageTitle } from '../core/navigation.ts';
import { Page } from '../ui/page.tsx';
import { ErrorState } from '../ui/surfaces.tsx';

/**
 * A page that failed to load or to draw. Starting over also fetches files that a new version has replaced.
 */
export function Trouble(_props: ErrorComponentProps) {
  const { t } = useTranslation();
  return (
    <Page title={usePageTitle()} back>
      <ErrorState
        title={t('trouble.title')}
        text={t('trouble.text')}
        retryLabel={t('retry')}
        onRetry={() => location.reload()}
      />
    </Page>
  );
}
