import type { LucideIcon } from 'lucide-react';
import { classes } from '../../ui/classes.ts';

/** One short fact about a ride, as an icon and words: "+4 min detour", "3 min walk", "2 seats left". */
export interface RideFact {
  icon: LucideIcon;
  words: string;
  /** `brand` speaks for the ride, `warn` against it. */
  tone?: 'neutral' | 'brand' | 'warn';
}

const tones = {
  neutral: 'text-ink-2',
  brand: 'font-semibold text-brand-ink',
  warn: 'font-semibold text-warn',
} as const;

/** The facts of a ride in a row that wraps. */
export function RideFacts({ facts }: { facts: readonly RideFact[] }) {
  if (facts.length === 0) return null;
  return (
    <span className="flex flex-wrap gap-x-3 gap-y-1">
      {facts.map(({ icon: Icon, words, tone = 'neutral' }) => (
        <span
          key={words}
          className={classes('inline-flex max-w-full items-center gap-1 text-small', tones[tone])}
        >
          <Icon aria-hidden className="size-4 shrink-0" />
          {words}
        </span>
      ))}
    </span>
  );
}
