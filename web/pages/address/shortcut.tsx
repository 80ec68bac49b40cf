import { Link } from '@tanstack/react-router';
import { MapPinPlus } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { listAddresses } from '#contract/geo/endpoints.ts';
import { usePageTitle } from '../../core/navigation.ts';
import { useCall } from '../../core/queries.ts';
import { QueryView } from '../../core/query-view.tsx';
import { ShortcutList } from '../../features/geo/shortcut-list.tsx';
import { buttonVariants } from '../../ui/button.tsx';
import { PageLayout } from '../../ui/page-layout.tsx';
import { EmptyState } from '../../ui/surfaces.tsx';

export function Page() {
  const { t } = useTranslation('geo');
  const title = usePageTitle();
  const addresses = useCall(listAddresses, {}, { quiet: true });
  const add = (
    <Link to="/pages/address/editor" search={{ new: '1' }} className={buttonVariants({ full: true })}>
      {t('add.any')}
    </Link>
  );
  return (
    <PageLayout title={title} back action={add}>
      <QueryView
        query={addresses}
        failed={t('list.failed')}
        isEmpty={({ shortcuts }) => shortcuts.length === 0}
        empty={<EmptyState icon={<MapPinPlus />} title={t('list.emptyTitle')} text={t('list.emptyText')} />}
      >
        {({ shortcuts }) => <ShortcutList shortcuts={shortcuts} />}
      </QueryView>
    </PageLayout>
  );
}
