import { LoaderCircle } from 'lucide-react';
import type { ButtonHTMLAttributes, ReactNode, Ref } from 'react';
import { classes } from './classes.ts';

export type ButtonTone = 'primary' | 'brand' | 'danger' | 'quiet';

const tones: Record<ButtonTone, string> = {
  primary: 'bg-ink text-white hover:bg-[#2c3342] active:bg-[#10141d]',
  brand: 'bg-brand text-ink hover:bg-brand-deep active:bg-brand-deep',
  danger: 'bg-danger text-white hover:bg-danger-deep active:bg-danger-deep',
  quiet: 'bg-surface text-ink ring-1 ring-inset ring-line-2 hover:bg-page active:bg-line',
};

/** The classes of a button for something that is not one, such as a router Link. */
export function buttonVariants({
  tone = 'primary',
  full = false,
  small = false,
}: { tone?: ButtonTone; full?: boolean; small?: boolean } = {}): string {
  return classes(
    'relative inline-flex items-center justify-center gap-2 rounded-control font-semibold transition-colors duration-150 select-none',
    small ? 'min-h-11 px-4 text-body' : 'min-h-13 px-5 text-lead',
    'disabled:bg-line disabled:text-ink-3 disabled:ring-0 disabled:hover:bg-line',
    full && 'w-full',
    tones[tone],
  );
}

export interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  /**
   * `primary` ink, one a screen; `brand` where something good begins; `danger` asks before it acts; `quiet`
   * the rest.
   */
  tone?: ButtonTone;
  /** As wide as its container. */
  full?: boolean;
  /** 44 px high instead of 52. */
  small?: boolean;
  /** Shows a spinner over the label, whose room it keeps, and ignores clicks. */
  busy?: boolean;
  /** A Lucide icon of size 20 before the label. */
  icon?: ReactNode;
  ref?: Ref<HTMLButtonElement>;
}

/** The way to act. Its label says exactly what happens. */
export function Button({
  tone = 'primary',
  full = false,
  small = false,
  busy = false,
  icon,
  children,
  className,
  onClick,
  type = 'button',
  ...rest
}: ButtonProps) {
  return (
    <button
      type={type}
      aria-busy={busy || undefined}
      aria-disabled={busy || undefined}
      className={classes(buttonVariants({ tone, full, small }), className)}
      onClick={(event) => {
        if (busy) event.preventDefault();
        else onClick?.(event);
      }}
      {...rest}
    >
      <span className={classes('inline-flex items-center gap-2', busy && 'opacity-0')}>
        {icon}
        {children}
      </span>
      {busy && (
        <span className="absolute inset-0 grid place-items-center">
          <LoaderCircle aria-hidden className="size-6 animate-spin" />
        </span>
      )}
    </button>
  );
}

export interface IconButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'children'> {
  /** What it does, in words: read aloud, and shown as a tooltip. */
  label: string;
  icon: ReactNode;
  /** A white disc with a shadow, for buttons that lie on a map. */
  floating?: boolean;
  ref?: Ref<HTMLButtonElement>;
}

/** A 44 px button that shows only an icon (24 px). */
export function IconButton({
  label,
  icon,
  floating = false,
  className,
  type = 'button',
  ...rest
}: IconButtonProps) {
  return (
    <button
      type={type}
      aria-label={label}
      title={label}
      className={classes(
        'inline-grid size-11 shrink-0 place-items-center rounded-full transition-colors duration-150 disabled:text-muted',
        floating ? 'bg-surface shadow-card hover:bg-page' : 'hover:bg-ink/6 active:bg-ink/10',
        className,
      )}
      {...rest}
    >
      {icon}
    </button>
  );
}

export interface TextButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  tone?: 'brand' | 'danger' | 'ink';
  ref?: Ref<HTMLButtonElement>;
}

/** An action that looks like a link: "Resend the code", "Forgot your password?". */
export function TextButton({ tone = 'brand', className, type = 'button', ...rest }: TextButtonProps) {
  const colours = { brand: 'text-brand-ink', danger: 'text-danger', ink: 'text-ink' };
  return (
    <button
      type={type}
      className={classes(
        'inline-flex min-h-11 min-w-11 items-center justify-center gap-1 rounded-small px-1 font-semibold underline-offset-4 hover:underline disabled:text-ink-3 disabled:no-underline',
        colours[tone],
        className,
      )}
      {...rest}
    />
  );
}
