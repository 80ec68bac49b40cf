import { Tabs as BaseTabs } from '@base-ui/react/tabs';
import { useEffect, useRef, type ReactNode } from 'react';

/**
 * Views of one page under a row of headings that scrolls sideways to the chosen one. Only the chosen view is
 * drawn.
 */
export function Tabs<V extends string>({
  label,
  tabs,
  value,
  onChange,
  children,
}: {
  label: string;
  /** `count` is shown beside the heading when above zero. */
  tabs: readonly { value: V; label: string; count?: number }[];
  value: V;
  onChange: (value: V) => void;
  /** The chosen view. */
  children: ReactNode;
}) {
  const headings = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const chosen = headings.current?.querySelector(`[data-value="${CSS.escape(value)}"]`);
    chosen?.scrollIntoView({ inline: 'center', block: 'nearest' });
  }, [value]);
  return (
    <BaseTabs.Root value={value} onValueChange={(next: V) => onChange(next)} className="flex flex-col gap-4">
      <BaseTabs.List
        ref={headings}
        aria-label={label}
        className="-mx-4 flex gap-1 overflow-x-auto border-b border-line px-4 [scrollbar-width:none]"
      >
        {tabs.map((tab) => (
          <BaseTabs.Tab
            key={tab.value}
            value={tab.value}
            data-value={tab.value}
            className="relative flex min-h-11 shrink-0 items-center gap-1.5 px-3 font-semibold whitespace-nowrap text-ink-2 after:absolute after:inset-x-2 after:bottom-0 after:h-0.75 after:rounded-full data-active:text-ink data-active:after:bg-brand focus-visible:-outline-offset-3"
          >
            {tab.label}
            {tab.count !== undefined && tab.count > 0 && (
              <span className="figures rounded-full bg-ink/7 px-1.5 text-small text-ink-2">{tab.count}</span>
            )}
          </BaseTabs.Tab>
        ))}
      </BaseTabs.List>
      <BaseTabs.Panel value={value} className="outline-offset-4">
        {children}
      </BaseTabs.Panel>
    </BaseTabs.Root>
  );
}
