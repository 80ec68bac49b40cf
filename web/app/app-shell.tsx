import { Outlet } from '@tanstack/react-router';
import { useEffect, type CSSProperties } from 'react';
import { useTranslation } from 'react-i18next';
import { useGoBack, usePage, usePageTitle } from '../core/navigation.ts';
import { useDesktop, useLying } from '../ui/media.ts';
import { BackContext } from '../ui/page-layout.tsx';
import { Toasts } from '../ui/toasts.tsx';
import { BackdropMap } from '../map/backdrop.tsx';
import { DemoClock } from './demo-clock.tsx';
import { ConnectionBanner } from './connection-banner.tsx';
import { NavRail } from './nav-rail.tsx';
import { TabBar } from './tab-bar.tsx';
import { UpdateOverlay, useUpdateOffer, useUpdateShown } from './update-overlay.tsx';

/**
 * The frame around every page: it fills the screen and never scrolls. Tab bar on a phone, rail and map on a
 * desktop.
 */
export function AppShell() {
  const { t } = useTranslation();
  const desktop = useDesktop();
  const lying = useLying();
  const goBack = useGoBack();
  const { layout, tab } = usePage();
  const updateShown = useUpdateShown();
  useDocumentTitle(updateShown);
  useUpdateOffer();

  const showsTabs = tab && !desktop;
  return (
    <BackContext.Provider value={{ label: t('back'), goBack }}>
      <div
        className="flex h-full overflow-hidden"
        inert={updateShown}
        style={{ '--bottom-inset': showsTabs ? '0px' : 'env(safe-area-inset-bottom)' } as CSSProperties}
      >
        {desktop && <NavRail foot={<DemoClock />} />}
        {showsTabs && lying && <TabBar upright />}
        <div className="relative flex min-w-0 flex-1 flex-col">
          {!desktop && <DemoClock />}
          <ConnectionBanner />
          <div className="relative flex min-h-0 flex-1">
            <div
              className={
                layout === 'pane' && desktop
                  ? 'w-[440px] shrink-0 border-r border-line'
                  : 'relative min-w-0 flex-1'
              }
            >
              <Outlet />
            </div>
            {layout === 'pane' && desktop && (
              <aside aria-label={t('map.label')} className="relative min-w-0 flex-1">
                <BackdropMap />
              </aside>
            )}
          </div>
          {showsTabs && !lying && <TabBar />}
        </div>
      </div>
      {updateShown && <UpdateOverlay />}
      <Toasts label={t('product')} closeLabel={t('close')} />
    </BackContext.Provider>
  );
}

function useDocumentTitle(updateShown: boolean): void {
  const { t } = useTranslation();
  const page = usePageTitle();
  const title = updateShown ? t('titles.update') : page;
  useEffect(() => {
    document.title = title;
  }, [title]);
}
