import { Link } from '@tanstack/react-router';
import { SearchX } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { buttonVariants } from '../ui/button.tsx';
import { PageLayout } from '../ui/page-layout.tsx';
import { EmptyState } from '../ui/surfaces.tsx';

/** No such page, or not yours to see: the two are indistinguishable. */
export function NotFound() {
  const { t } = useTranslation();
  return (
    <PageLayout title={t('product')} back>
      <EmptyState
        icon={<SearchX />}
        title={t('trouble.notFoundTitle')}
        text={t('trouble.notFoundText')}
        action={
          <Link to="/" className={buttonVariants({ tone: 'quiet', small: true })}>
            {t('trouble.home')}
          </Link>
        }
      />
    </PageLayout>
  );
}
