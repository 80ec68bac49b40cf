import type { ReactNode } from 'react';

/** What a step asks, and a line of why. */
export function StepHeading({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className="flex flex-col gap-2 pt-2">
      <h2 className="text-heading">{title}</h2>
      {children && <p className="text-body text-ink-2">{children}</p>}
    </div>
  );
}
