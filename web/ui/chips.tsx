import type { ReactNode } from 'react';
import { classes } from './classes.ts';

/** A filter or a suggestion that can be on. */
export function Chip({
  children,
  icon,
  selected = false,
  onClick,
}: {
  children: ReactNode;
  icon?: ReactNode;
  selected?: boolean;
  onClick: () => void;
}) {
  return (
    <button
      type="button"
      aria-pressed={selected}
      onClick={onClick}
      className={classes(
        'inline-flex min-h-11 max-w-full shrink-0 items-center gap-2 rounded-full px-4 font-semibold whitespace-nowrap transition-colors duration-150',
        selected ? 'bg-ink text-white' : 'bg-surface text-ink ring-1 ring-line-2 ring-inset hover:bg-page',
      )}
    >
      {icon}
      {children}
    </button>
  );
}

/** A row of chips that scrolls sideways where it is too long. */
export function ChipRow({ label, children }: { label: string; children: ReactNode }) {
  return (
    <fieldset
      aria-label={label}
      className="-mx-4 flex min-w-0 gap-2 overflow-x-auto overscroll-x-contain px-4 py-1 [scrollbar-width:none]"
    >
      {children}
    </fieldset>
  );
}

export type Tone = 'neutral' | 'brand' | 'info' | 'warn' | 'danger';

const tones: Record<Tone, string> = {
  neutral: 'bg-ink/7 text-ink-2',
  brand: 'bg-brand-soft text-brand-ink',
  info: 'bg-info-soft text-info',
  warn: 'bg-warn-soft text-warn',
  danger: 'bg-danger-soft text-danger',
};

/** A state in one word, by words and icon first, color second. The icon is a Lucide one of size 16. */
export function StateChip({ tone, icon, children }: { tone: Tone; icon: ReactNode; children: ReactNode }) {
  return (
    <span
      className={classes(
        'inline-flex min-h-6 max-w-full shrink-0 items-center gap-1.5 rounded-full px-2.5 text-small font-semibold [&>svg]:size-4',
        tones[tone],
      )}
    >
      {icon}
      {children}
    </span>
  );
}
