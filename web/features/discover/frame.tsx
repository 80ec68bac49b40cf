import { useNavigate } from '@tanstack/react-router';
import { List as ListIcon, Map as MapIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { usePageSearch, usePageTitle } from '../../core/navigation.ts';
import type { PageSearch } from '../../core/page-search.ts';
import { IconButton } from '../../ui/button.tsx';
import { SegmentedControl } from '../../ui/choices.tsx';
import { useDesktop } from '../../ui/media.ts';
import { PageLayout } from '../../ui/page-layout.tsx';

type DiscoverSearch = PageSearch<'/pages/discover/discover'>;
export type DiscoverView = NonNullable<DiscoverSearch['view']>;

/** What part of Discover the address asks for, whether as a map (on a phone), and of which orders. */
export function useDiscoverQuery() {
  const { view = 'around', map: onMap, of: shown } = usePageSearch('/pages/discover/discover');
  const desktop = useDesktop();
  const navigate = useNavigate();
  const asMap = onMap === '1' && !desktop && view !== 'alerts';
  return {
    view,
    asMap,
    of: shown,
    show: (next: { view?: DiscoverView; map?: boolean; of?: DiscoverSearch['of'] }) => {
      const { view: nextView = view, map = asMap, of = shown } = next;
      void navigate({
        to: '/pages/discover/discover',
        search: {
          view: nextView === 'around' ? undefined : nextView,
          map: map && nextView !== 'alerts' ? '1' : undefined,
          of: nextView === 'around' ? of : undefined,
        },
        replace: true,
      });
    },
  };
}

/** The frame of every part of Discover: the parts to choose from, and on a phone list or map. */
export function DiscoverFrame({
  tools,
  hasMap = true,
  filter,
  unreadAlerts,
  children,
}: {
  tools?: ReactNode;
  /** Whether there is anything to be drawn. */
  hasMap?: boolean;
  /** Under the parts: what of this one is shown. */
  filter?: ReactNode;
  unreadAlerts: number;
  children: ReactNode;
}) {
  const { t } = useTranslation(['discover', 'alerts']);
  const title = usePageTitle();
  const desktop = useDesktop();
  const { view, asMap, show } = useDiscoverQuery();
  return (
    <PageLayout
      title={title}
      bare={asMap && hasMap}
      tools={
        <>
          {!desktop && hasMap && view !== 'alerts' && (
            <IconButton
              label={t(asMap ? 'discover:asList' : 'discover:asMap')}
              icon={asMap ? <ListIcon aria-hidden /> : <MapIcon aria-hidden />}
              onClick={() => show({ map: !asMap })}
            />
          )}
          {tools}
        </>
      }
      header={
        <div className="flex flex-col gap-2">
          <SegmentedControl
            label={t('discover:show')}
            options={[
              { value: 'around', label: t('discover:views.around') },
              { value: 'ways', label: t('discover:views.ways') },
              { value: 'people', label: t('discover:views.people') },
              {
                value: 'alerts',
                label: t('alerts:tab'),
                icon: unreadAlerts > 0 && (
                  <span className="size-2.5 shrink-0 rounded-full bg-danger">
                    <span className="sr-only">{t('alerts:badge', { count: unreadAlerts })}</span>
                  </span>
                ),
              },
            ]}
            value={view}
            onChange={(next) => show({ view: next })}
          />
          {filter}
        </div>
      }
    >
      {children}
    </PageLayout>
  );
}
