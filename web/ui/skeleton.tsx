import type { ReactNode } from 'react';
import { classes } from './classes.ts';

/**
 * The shape of what is on its way: `rows` of a list, ride `cards`, one `detail` page, the lines of a `chat`,
 * the fields of a `form`, a `person`'s page, `figures` of an overview, paragraphs of `text`.
 */
export type SkeletonShape = 'rows' | 'cards' | 'detail' | 'chat' | 'form' | 'person' | 'figures' | 'text';

/** Gray shapes where content will be; they appear after 200 ms, so that fast answers do not flicker. */
export function Skeleton({
  label,
  rows = 3,
  kind = 'rows',
}: {
  label: string;
  /** How many of what repeats in the shape. */
  rows?: number;
  kind?: SkeletonShape;
}) {
  const each = Array.from({ length: rows }, (_, row) => row);
  return (
    <output aria-label={label} className="animate-appear block">
      <div className="flex animate-pulse-soft flex-col gap-3">{shapes[kind](each)}</div>
    </output>
  );
}

const shapes: Record<SkeletonShape, (each: readonly number[]) => ReactNode> = {
  rows: (each) => (
    <div className="divide-y divide-line rounded-control bg-surface shadow-card">
      {each.map((row) => (
        <div key={row} className="flex min-h-16 items-center gap-3 px-4">
          <Round />
          <Lines widths={['w-3/5', 'w-4/5']} />
        </div>
      ))}
    </div>
  ),
  cards: (each) => each.map((row) => <RideShape key={row} />),
  detail: () => (
    <>
      <Bar className="h-5 w-2/5" />
      <Bar className="h-44 w-full rounded-control" />
      <RideShape />
      <Surface>
        <Lines widths={['w-2/5', 'w-4/5', 'w-3/5']} />
      </Surface>
    </>
  ),
  chat: (each) =>
    each.map((row) => (
      <div
        key={row}
        className={classes(
          'h-14 rounded-control bg-surface shadow-card',
          row % 2 === 0 ? 'w-3/5' : 'w-1/2 self-end',
        )}
      />
    )),
  form: (each) =>
    each.map((row) => (
      <div key={row} className="flex flex-col gap-2">
        <Bar className="h-3 w-1/4" />
        <div className="h-12 rounded-control bg-surface shadow-card" />
      </div>
    )),
  person: () => (
    <>
      <Surface>
        <Round className="size-16" />
        <Lines widths={['w-2/5', 'w-3/5']} />
      </Surface>
      <Surface>
        <Lines widths={['w-3/5', 'w-4/5', 'w-2/5']} />
      </Surface>
    </>
  ),
  figures: (each) => (
    <div className="grid grid-cols-2 gap-3 lg:grid-cols-4">
      {each.map((row) => (
        <div key={row} className="flex flex-col gap-3 rounded-control bg-surface p-4 shadow-card">
          <Bar className="h-3 w-3/5" />
          <Bar className="h-6 w-2/5" />
        </div>
      ))}
    </div>
  ),
  text: (each) =>
    each.map((row) => (
      <div key={row} className="flex flex-col gap-2 py-2">
        <Bar className="h-5 w-2/5" />
        <Lines widths={['w-full', 'w-full', 'w-3/5']} />
      </div>
    )),
};

/** A ride card: both times with the route's line between them, the places, the person and the price. */
function RideShape() {
  return (
    <div className="flex flex-col gap-3 rounded-control bg-surface p-4 shadow-card">
      <div className="flex items-center gap-3">
        <Bar className="h-5 w-16" />
        <div className="h-0.5 flex-1 bg-line" />
        <Bar className="h-5 w-16" />
        <Bar className="h-5 w-12" />
      </div>
      <div className="flex justify-between gap-3">
        <Bar className="h-3 w-1/3" />
        <Bar className="h-3 w-1/3" />
      </div>
      <div className="flex items-center gap-3">
        <Round />
        <Lines widths={['w-1/3', 'w-1/2']} />
      </div>
    </div>
  );
}

const Surface = ({ children }: { children: ReactNode }) => (
  <div className="flex items-center gap-3 rounded-control bg-surface p-4 shadow-card">{children}</div>
);

const Round = ({ className = 'size-11' }: { className?: string }) => (
  <div className={classes('shrink-0 rounded-full bg-line', className)} />
);

const Bar = ({ className }: { className: string }) => (
  <div className={classes('rounded-small bg-line', className)} />
);

const Lines = ({ widths }: { widths: readonly string[] }) => (
  <div className="flex flex-1 flex-col gap-2">
    {widths.map((width, row) => (
      <Bar key={`${row} ${width}`} className={classes(row === 0 ? 'h-4' : 'h-3', width)} />
    ))}
  </div>
);
