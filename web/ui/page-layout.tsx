import { ArrowLeft } from 'lucide-react';
import { createContext, useContext, useEffect, useRef, type ReactNode } from 'react';
import { IconButton } from './button.tsx';
import { classes } from './classes.ts';

/** How to go back and what the button is called; the shell provides it, so that `ui/` needs no router. */
export const BackContext = createContext<{ label: string; goBack: () => void }>({
  label: 'Back',
  goBack: () => {},
});

/** The round back button of a page's bar or of a map. */
export function BackButton({ onClick, floating = false }: { onClick?: () => void; floating?: boolean }) {
  const { label, goBack } = useContext(BackContext);
  return (
    <IconButton
      label={label}
      icon={<ArrowLeft aria-hidden />}
      floating={floating}
      onClick={onClick ?? goBack}
    />
  );
}

/**
 * Moves the focus of keyboard and screen reader to a new page's title, unless something there already has it.
 * Once the page has been painted: before that, the browser would have to lay it out for the focus alone.
 */
export function useTitleFocus() {
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    const frame = requestAnimationFrame(() => {
      timer = setTimeout(() => {
        if (document.activeElement === document.body) title.current?.focus({ preventScroll: true });
      });
    });
    return () => {
      cancelAnimationFrame(frame);
      clearTimeout(timer);
    };
  }, []);
  return title;
}

export interface PageLayoutProps {
  title: string;
  /** Shows the back button; a function replaces what it does. */
  back?: boolean | (() => void);
  /** Icon buttons at the right end of the bar. */
  tools?: ReactNode;
  /** Stays under the bar while the content scrolls: tabs, a search field. */
  header?: ReactNode;
  /** The next action: stays at the bottom, inside the safe area. */
  action?: ReactNode;
  /** Edge-to-edge content without the usual 16 px around it. */
  bare?: boolean;
  /** The name that the content shares with what it grows out of (view transitions). */
  transition?: string;
  /** Content up to 1040 px wide on a desktop (for pages of layout `wide`). */
  wide?: boolean;
  children: ReactNode;
}

/**
 * The frame of an ordinary page: bar with back button and title, a pane that scrolls, the next action at the
 * bottom.
 */
export function PageLayout({
  title,
  back = false,
  tools,
  header,
  action,
  bare = false,
  wide = false,
  transition,
  children,
}: PageLayoutProps) {
  const heading = useTitleFocus();
  const column = classes('mx-auto w-full', wide ? 'max-w-[1040px]' : 'max-w-(--column)');
  return (
    <main className="flex h-full flex-col bg-page">
      <header className="safe-top shrink-0 bg-page">
        <div
          data-title-bar
          className={classes('flex min-h-14 items-center gap-1 px-2 lying:min-h-12', column)}
        >
          {back !== false && <BackButton {...(typeof back === 'function' ? { onClick: back } : {})} />}
          <h1
            ref={heading}
            tabIndex={-1}
            className={classes(
              'min-w-0 flex-1 truncate outline-none',
              back === false ? 'px-2 text-heading' : 'text-lead',
            )}
          >
            {title}
          </h1>
          {tools}
        </div>
        {header && <div className={classes('px-4 pb-3', column)}>{header}</div>}
      </header>
      <div className="pane min-h-0 flex-1" style={{ viewTransitionName: transition }}>
        <div className={classes('flex min-h-full flex-col', !bare && 'gap-5 px-4 pt-2 pb-8', column)}>
          {children}
        </div>
      </div>
      {action && (
        <footer className="shrink-0 border-t border-line bg-surface px-4 pt-3 pb-[calc(var(--bottom-inset,0px)+12px)]">
          <div className={classes('flex flex-col gap-2', column)}>{action}</div>
        </footer>
      )}
    </main>
  );
}
