import type { ReactNode } from 'react';
import { useDesktop, useLying } from '../ui/media.ts';
import { BackButton, useTitleFocus } from '../ui/page-layout.tsx';
import { CoveredSpace } from '../ui/sheet.tsx';

export interface MapScreenProps {
  /** The page's heading: for screen readers on a phone, in the pane's bar on a desktop. */
  title: string;
  /** A MapView. */
  map: ReactNode;
  /** A Sheet with the task. */
  sheet: ReactNode;
  /** Shows the back button. */
  back?: boolean;
  /** Floats over the top of the map on a phone, next to the back button; in the pane's bar on a desktop. */
  top?: ReactNode;
  /** Round buttons at the map's right edge, above the sheet. */
  tools?: ReactNode;
}

/**
 * A map that fills the screen with a sheet over it; on a desktop, or a phone that lies on its side, a pane
 * next to the map.
 */
export function MapScreen({ title, map, sheet, back = false, top, tools }: MapScreenProps) {
  const desktop = useDesktop();
  const lying = useLying();
  const heading = useTitleFocus();

  if (lying) {
    return (
      <CoveredSpace>
        <main className="flex h-full">
          <div className="flex w-[min(440px,54%)] shrink-0 flex-col border-r border-line bg-surface">
            <h1 ref={heading} tabIndex={-1} className="sr-only">
              {title}
            </h1>
            {(back || top) && <PaneBar back={back} top={top} />}
            {sheet}
          </div>
          <div className="relative min-w-0 flex-1">
            {map}
            {tools && <div className="absolute top-3 right-3 flex flex-col gap-2">{tools}</div>}
          </div>
        </main>
      </CoveredSpace>
    );
  }
  if (desktop) {
    return (
      <CoveredSpace>
        <main className="flex h-full">
          <div className="flex w-[440px] shrink-0 flex-col border-r border-line bg-surface">
            <div className="flex min-h-16 shrink-0 items-center gap-2 px-3 pt-2">
              {back && <BackButton />}
              <h1
                ref={heading}
                tabIndex={-1}
                className="min-w-0 flex-1 truncate px-2 text-heading outline-none"
              >
                {title}
              </h1>
            </div>
            {top && <div className="shrink-0 px-5 pt-1 pb-2">{top}</div>}
            {sheet}
          </div>
          <div className="relative min-w-0 flex-1">
            {map}
            {tools && <div className="absolute right-4 bottom-12 flex flex-col gap-2">{tools}</div>}
          </div>
        </main>
      </CoveredSpace>
    );
  }
  return (
    <CoveredSpace>
      <main className="relative h-full overflow-hidden">
        <h1 ref={heading} tabIndex={-1} className="sr-only">
          {title}
        </h1>
        <div className="absolute inset-0">{map}</div>
        <div className="pointer-events-none absolute inset-x-0 top-0 z-10 flex items-start gap-2 px-3 pt-[calc(var(--top-inset,env(safe-area-inset-top))+12px)] *:pointer-events-auto">
          {back && <BackButton floating />}
          {top && (
            <div data-title-bar className="min-w-0 flex-1">
              {top}
            </div>
          )}
          {tools && <div className="ml-auto flex flex-col gap-2">{tools}</div>}
        </div>
        {sheet}
      </main>
    </CoveredSpace>
  );
}

/** Above the sheet of a phone that lies on its side. */
const PaneBar = ({ back, top }: { back: boolean; top: ReactNode }) => (
  <div className="flex shrink-0 items-start gap-2 px-3 pt-[calc(var(--top-inset,env(safe-area-inset-top))+8px)]">
    {back && <BackButton />}
    {top && <div className="min-w-0 flex-1">{top}</div>}
  </div>
);
