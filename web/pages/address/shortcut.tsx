import { Link } from '@tanstack/react-router';
import { MapPinPlus } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { listAddresses } from '#contract/geo/endpoints.ts';
import { errorWords } from '../../core/errors.ts';
import { usePageTitle } from '../../core/navigation.ts';
import { useCall } from '../../core/queries.ts';
import { ShortcutList } from '../../features/geo/shortcut-list.tsx';
import { buttonVariants } from '../../ui/button.tsx';
import { PageLayout } from '../../ui/page-layout.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { EmptyState, ErrorState } from '../../ui/surfaces.tsx';

export function Page() {
  const { t } = useTranslation(['geo', 'common']);
  const title = usePageTitle();
  const { data, error, refetch } = useCall(listAddresses, {}, { quiet: true });
  const add = (
    <Link to="/pages/address/editor" search={{ new: '1' }} className={buttonVariants({ full: true })}>
      {t('geo:add.any')}
    </Link>
  );
  return (
    <PageLayout title={title} back action={add}>
      {error ? (
        <ErrorState
          title={t('geo:list.failed')}
          text={errorWords(error)}
          retryLabel={t('common:retry')}
          onRetry={() => void refetch()}
        />
      ) : !data ? (
        <Skeleton label={t('common:loading')} rows={3} />
      ) : data.shortcuts.length === 0 ? (
        <EmptyState icon={<MapPinPlus />} title={t('geo:list.emptyTitle')} text={t('geo:list.emptyText')} />
      ) : (
        <ShortcutList shortcuts={data.shortcuts} />
      )}
    </PageLayout>
  );
}
