import { Link } from '@tanstack/react-router';
import { SearchX } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { buttonLook } from '../ui/button.tsx';
import { Page } from '../ui/page.tsx';
import { EmptyState } from '../ui/surfaces.tsx';

/** No such page, or not yours to see: the two look the same. */
export function NotFound() {
  const { t } = useTranslation();
  return (
    <Page title={t('product')} back>
      <EmptyState
        icon={<SearchX />}
        title={t('trouble.notFoundTitle')}
        text={t('trouble.notFoundText')}
        action={
          <Link to="/" className={buttonLook({ tone: 'quiet', small: true })}>
            {t('trouble.home')}
          </Link>
        }
      />
    </Page>
  );
}
