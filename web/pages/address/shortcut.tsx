import { Link } from '@tanstack/react-router';
import { MapPinPlus, Search } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { listAddresses } from '#contract/geo/endpoints.ts';
import { usePageTitle } from '../../core/navigation.ts';
import { useCall } from '../../core/queries.ts';
import { QueryView } from '../../core/query-view.tsx';
import { useStartSide } from '../../core/use-start-side.ts';
import { ShortcutList } from '../../features/geo/shortcut-list.tsx';
import { buttonVariants } from '../../ui/button.tsx';
import { PageLayout } from '../../ui/page-layout.tsx';
import { EmptyState, List, RowContent, rowVariants } from '../../ui/surfaces.tsx';

export function Page() {
  const { t } = useTranslation('geo');
  const title = usePageTitle();
  const addresses = useCall(listAddresses, {}, { quiet: true });
  const side = useStartSide();
  const add = (
    <Link to="/pages/address/editor" search={{ new: '1' }} className={buttonVariants({ full: true })}>
      {t('add.any')}
    </Link>
  );
  return (
    <PageLayout title={title} back action={add}>
      <List>
        <li>
          <Link to="/pages/address/address" search={{ for: side, field: 'to' }} className={rowVariants}>
            <RowContent
              leading={<Search aria-hidden className="text-ink-2" />}
              title={t('find.title')}
              detail={t(`find.${side}`)}
              chevron
            />
          </Link>
        </li>
      </List>
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
