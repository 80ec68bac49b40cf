import { Outlet } from '@tanstack/react-router';
import { Suspense, useEffect, type CSSProperties, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useGoBack, usePage, usePageTitle, type ShellLayout } from '../core/navigation.ts';
import { lazyPart } from '../core/lazy-part.ts';
import { useSession } from '../core/use-session.ts';
import { useDesktop, useLying } from '../ui/media.ts';
import { BackContext } from '../ui/page-layout.tsx';
import { Toasts } from '../ui/toasts.tsx';
import { Announcements } from './announcements.tsx';
import { BackdropMap } from '../map/backdrop.tsx';
import { DemoClock } from './demo-clock.tsx';
import { ConnectionBanner } from './connection-banner.tsx';
import { NavRail } from './nav-rail.tsx';
import { TabBar } from './tab-bar.tsx';
import { UpdateOverlay, useUpdateShown } from './update-overlay.tsx';
import { UpdateStrip } from './update-strip.tsx';

const MenuPane = lazyPart(async () => (await import('../pages/account/menu-pane.tsx')).MenuPane, ['people']);
const RoomsPane = lazyPart(async () => (await import('../pages/chat/rooms-pane.tsx')).RoomsPane, ['chat']);

/** A comfortable line of text, with the page's margins. */
const columnWidth = '712px';

/**
 * The frame around every page: it fills the screen and never scrolls. Tab bar on a phone; on a desktop the
 * rail, and next to the page the pane of its layout.
 */
export function AppShell() {
  const { t } = useTranslation();
  const desktop = useDesktop();
  const lying = useLying();
  const goBack = useGoBack();
  const { layout, tab } = usePage();
  const updateShown = useUpdateShown();
  useDocumentTitle(updateShown);

  const showsTabs = tab && !desktop;
  return (
    <BackContext.Provider value={{ label: t('back'), goBack }}>
      <div
        className={`shell flex h-full overflow-hidden${showsTabs ? ' shell-tabs' : ''}`}
        inert={updateShown}
      >
        {desktop && <NavRail foot={<DemoClock />} />}
        {showsTabs && lying && <TabBar upright />}
        <div className="relative flex min-w-0 flex-1 flex-col">
          {!desktop && <DemoClock />}
          <ConnectionBanner />
          <UpdateStrip />
          <Announcements />
          <div className="relative flex min-h-0 flex-1">
            <PageWithPane layout={desktop ? layout : 'map'} />
          </div>
          {showsTabs && !lying && <TabBar />}
        </div>
      </div>
      {updateShown && <UpdateOverlay />}
      <Toasts label={t('product')} closeLabel={t('close')} />
    </BackContext.Provider>
  );
}

/** The page with the pane of its layout. Its key stays, so that another width does not remount the page. */
function PageWithPane({ layout }: { layout: ShellLayout }) {
  const { t } = useTranslation();
  const { signedIn } = useSession();
  const isColumn = layout === 'column' || layout === 'account' || layout === 'chat';
  return (
    <>
      {layout === 'account' && (
        <Pane label={t('tabs.account')}>
          <MenuPane />
        </Pane>
      )}
      {layout === 'chat' && signedIn && (
        <Pane label={t('titles.chat')}>
          <RoomsPane />
        </Pane>
      )}
      <div
        key="page"
        className={layout === 'pane' ? 'w-[440px] shrink-0 border-r border-line' : 'relative min-w-0 flex-1'}
        style={isColumn ? ({ '--column': columnWidth } as CSSProperties) : undefined}
      >
        <Outlet />
      </div>
      {layout === 'pane' && (
        <aside aria-label={t('map.label')} className="relative min-w-0 flex-1">
          <BackdropMap />
        </aside>
      )}
    </>
  );
}

/** The pane at the left of a page: a menu, the rooms. */
function Pane({ label, children }: { label: string; children: ReactNode }) {
  return (
    <aside aria-label={label} className="pane w-[320px] shrink-0 border-r border-line bg-page">
      <Suspense>{children}</Suspense>
    </aside>
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
