import { useEffect, useId, useRef, type KeyboardEvent, type ReactNode } from 'react';

/** The tab that an arrow key focuses next, wrapping around at the ends. */
function headingAfter(key: string, from: number, count: number): number | null {
  const places: Record<string, number> = {
    ArrowRight: (from + 1) % count,
    ArrowLeft: (from + count - 1) % count,
    Home: 0,
    End: count - 1,
  };
  return places[key] ?? null;
}

/**
 * Views of one page under a row of headings that scrolls sideways to the chosen one. Only the chosen view is
 * drawn. The keys are those of the ARIA Authoring Practices: arrows move the focus, Enter or Space chooses.
 */
export function Tabs<V extends string>({
  label,
  tabs,
  value,
  onChange,
  children,
}: {
  label: string;
  /** `count` is shown next to the heading when above zero. */
  tabs: readonly { value: V; label: string; count?: number }[];
  value: V;
  onChange: (value: V) => void;
  /** The chosen view. */
  children: ReactNode;
}) {
  const id = useId();
  const headings = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const chosen = headings.current?.querySelector(`[data-value="${CSS.escape(value)}"]`);
    chosen?.scrollIntoView({ inline: 'center', block: 'nearest' });
  }, [value]);
  const moveFocus = (event: KeyboardEvent, from: number) => {
    const next = headingAfter(event.key, from, tabs.length);
    if (next === null) return;
    event.preventDefault();
    (headings.current?.children[next] as HTMLElement | undefined)?.focus();
  };
  return (
    <div className="flex flex-col gap-4">
      <div
        ref={headings}
        role="tablist"
        aria-label={label}
        className="-mx-4 flex gap-1 overflow-x-auto border-b border-line px-4 [scrollbar-width:none]"
      >
        {tabs.map((tab, place) => (
          <button
            key={tab.value}
            type="button"
            role="tab"
            id={`${id}${tab.value}`}
            data-value={tab.value}
            aria-selected={tab.value === value}
            aria-controls={`${id}view`}
            tabIndex={tab.value === value ? 0 : -1}
            onClick={() => onChange(tab.value)}
            onKeyDown={(event) => moveFocus(event, place)}
            className="relative flex min-h-11 shrink-0 items-center gap-1.5 px-3 font-semibold whitespace-nowrap text-ink-2 after:absolute after:inset-x-2 after:bottom-0 after:h-0.75 after:rounded-full aria-selected:text-ink aria-selected:after:bg-brand focus-visible:-outline-offset-3"
          >
            {tab.label}
            {tab.count !== undefined && tab.count > 0 && (
              <span className="figures rounded-full bg-ink/7 px-1.5 text-small text-ink-2">{tab.count}</span>
            )}
          </button>
        ))}
      </div>
      <div
        role="tabpanel"
        id={`${id}view`}
        aria-labelledby={`${id}${value}`}
        tabIndex={0}
        className="outline-offset-4"
      >
        {children}
      </div>
    </div>
  );
}
