import { ChevronRight, CircleAlert, FlaskConical, Info } from 'lucide-react';
import type { ComponentProps, ReactNode } from 'react';
import { Button, TextButton } from './button.tsx';
import { classes } from './classes.ts';
import { Roadside } from './roadside.tsx';

/** A white surface on the page color. Never inside another card. */
export function Card({
  children,
  className,
  padded = true,
}: {
  children: ReactNode;
  className?: string;
  padded?: boolean;
}) {
  return (
    <div className={classes('rounded-control bg-surface shadow-card', padded && 'p-4', className)}>
      {children}
    </div>
  );
}

/** A headed part of a page. */
export function Section({
  title,
  action,
  children,
  className,
}: {
  title?: string;
  /** A TextButton or link at the right of the heading. */
  action?: ReactNode;
  children: ReactNode;
  className?: string;
}) {
  return (
    <section className={classes('flex flex-col gap-2', className)}>
      {title !== undefined && (
        <div className="flex min-h-8 items-center justify-between gap-3">
          <h2 className="text-lead">{title}</h2>
          {action}
        </div>
      )}
      {children}
    </section>
  );
}

/** Rows on one white surface, with lines between them. */
export function List({ children, label }: { children: ReactNode; label?: string }) {
  return (
    <ul
      {...(label === undefined ? {} : { 'aria-label': label })}
      className="divide-y divide-line overflow-hidden rounded-control bg-surface shadow-card"
    >
      {children}
    </ul>
  );
}

/**
 * The classes of a row, for a router Link inside `<li>`:
 * `<li><Link className={rowVariants} …><RowContent …/></Link></li>`.
 */
export const rowVariants =
  'flex min-h-14 w-full items-center gap-3 px-4 py-2.5 text-left transition-colors duration-150 hover:bg-page active:bg-line focus-visible:-outline-offset-3 aria-[current=page]:bg-brand-soft';

export interface RowContentProps {
  title: ReactNode;
  detail?: ReactNode;
  /** An icon of size 24 or an Avatar. */
  leading?: ReactNode;
  /** A value, a chip or a control. */
  trailing?: ReactNode;
  /** Shows that the row leads somewhere. */
  chevron?: boolean;
  danger?: boolean;
}

/** What a row shows: something in front, one or two lines, something at the end. */
export function RowContent({
  title,
  detail,
  leading,
  trailing,
  chevron = false,
  danger = false,
}: RowContentProps) {
  return (
    <>
      {leading && <span className="grid shrink-0 place-items-center">{leading}</span>}
      <span className="min-w-0 flex-1">
        <span className={classes('block text-lead break-words', danger && 'text-danger')}>{title}</span>
        {detail && <span className="block text-small break-words text-ink-3">{detail}</span>}
      </span>
      {trailing && (
        <span
          className={classes(
            'text-body text-ink-2',
            // A value breaks where it leaves its name no room, as with large text; a control keeps its shape.
            typeof trailing === 'string'
              ? 'max-w-3/5 text-right break-words'
              : 'flex shrink-0 items-center gap-2',
          )}
        >
          {trailing}
        </span>
      )}
      {chevron && <ChevronRight aria-hidden className="size-5 shrink-0 text-ink-3" />}
    </>
  );
}

/** A row of a List: a button when it has `onClick`, else plain. A link takes `rowVariants` and RowContent. */
export function ListRow({
  onClick,
  disabled = false,
  ...content
}: RowContentProps & { onClick?: () => void; disabled?: boolean }) {
  return (
    <li>
      {onClick ? (
        <button type="button" disabled={disabled} className={rowVariants} onClick={onClick}>
          <RowContent {...content} />
        </button>
      ) : (
        <div className="flex min-h-14 items-center gap-3 px-4 py-2.5">
          <RowContent {...content} />
        </div>
      )}
    </li>
  );
}

/** Nothing here yet, and the one thing to do about it. The icon is a Lucide one, on the sign of a drawing. */
export function EmptyState({
  icon,
  mood = 'calm',
  title,
  text,
  action,
}: {
  icon: ReactNode;
  mood?: ComponentProps<typeof Roadside>['mood'];
  title: string;
  text?: ReactNode;
  action?: ReactNode;
}) {
  return (
    <div className="flex flex-col items-center gap-3 px-6 py-8 text-center">
      <Roadside icon={icon} mood={mood} />
      <h2 className="text-lead">{title}</h2>
      {text && <p className="max-w-xs text-body text-ink-2">{text}</p>}
      {action && <div className="mt-1">{action}</div>}
    </div>
  );
}

/** A page that did not load: why, and a way to try again. */
export function ErrorState({
  title,
  text,
  retryLabel,
  onRetry,
}: {
  title: string;
  text?: string;
  retryLabel: string;
  onRetry: () => void;
}) {
  return (
    <div role="alert">
      <EmptyState
        icon={<CircleAlert />}
        mood="tilted"
        title={title}
        text={text}
        action={
          <Button tone="quiet" small onClick={onRetry}>
            {retryLabel}
          </Button>
        }
      />
    </div>
  );
}

/** A small part of a page that did not load: one line, and a way to try again. */
export function FailedLine({
  text,
  retryLabel,
  onRetry,
}: {
  text: string;
  retryLabel: string;
  onRetry: () => void;
}) {
  return (
    <div role="alert" className="flex flex-wrap items-center gap-x-3 text-body text-ink-2">
      <CircleAlert aria-hidden className="size-5 shrink-0" />
      <span className="min-w-0 flex-1 break-words">{text}</span>
      <TextButton onClick={onRetry}>{retryLabel}</TextButton>
    </div>
  );
}

/**
 * A line that stays while it is true: `warn` time running out, `test` test money, `danger` trouble, `info` a
 * hint.
 */
export function Banner({
  kind,
  children,
  action,
}: {
  kind: 'warn' | 'test' | 'danger' | 'info';
  children: ReactNode;
  action?: ReactNode;
}) {
  const looks = {
    warn: 'bg-warn-soft text-warn',
    test: 'bg-warn-soft text-warn',
    danger: 'bg-danger-soft text-danger',
    info: 'bg-info-soft text-info',
  };
  const Icon = kind === 'test' ? FlaskConical : kind === 'info' ? Info : CircleAlert;
  return (
    <div
      role={kind === 'danger' ? 'alert' : 'status'}
      className={classes('flex items-center gap-3 rounded-control px-4 py-3 text-body', looks[kind])}
    >
      <Icon aria-hidden className="size-5 shrink-0" />
      <div className="min-w-0 flex-1">{children}</div>
      {action}
    </div>
  );
}
