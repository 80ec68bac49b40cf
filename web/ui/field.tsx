import { CircleAlert } from 'lucide-react';
import { createContext, useContext, useId, type ReactNode } from 'react';
import { classes } from './classes.ts';

interface FieldState {
  id: string;
  labelId: string;
  describedBy: string | undefined;
  invalid: boolean;
}

const FieldContext = createContext<FieldState | null>(null);

/** What a control inside a Field carries so that its label, hint and error belong to it. */
export function useFieldControl(): {
  id?: string;
  'aria-describedby'?: string;
  'aria-invalid'?: boolean;
} {
  const field = useContext(FieldContext);
  if (!field) return {};
  return {
    id: field.id,
    ...(field.describedBy === undefined ? {} : { 'aria-describedby': field.describedBy }),
    ...(field.invalid ? { 'aria-invalid': true } : {}),
  };
}

/** The same for a control made of several elements, which is a group named by the label. */
export function useFieldGroup(): { 'aria-labelledby'?: string; 'aria-describedby'?: string } {
  const field = useContext(FieldContext);
  if (!field) return {};
  return {
    'aria-labelledby': field.labelId,
    ...(field.describedBy === undefined ? {} : { 'aria-describedby': field.describedBy }),
  };
}

export interface FieldProps {
  label: string;
  /** One line of help under the control. */
  hint?: ReactNode;
  /** What is wrong, in words; announced when it appears. */
  error?: string | undefined;
  /** A word next to the label, such as "optional". */
  note?: string;
  /** Keeps the label for screen readers only. */
  labelHidden?: boolean;
  className?: string;
  children: ReactNode;
}

/** Label above, control, then error or hint. Any input of `ui/` inside it is wired by itself. */
export function Field({ label, hint, error, note, labelHidden = false, className, children }: FieldProps) {
  const id = useId();
  const labelId = `${id}-label`;
  const helpId = `${id}-help`;
  const invalid = error !== undefined && error !== '';
  return (
    <div className={classes('flex flex-col', className)}>
      <label
        id={labelId}
        htmlFor={id}
        className={classes(
          'mb-1.5 flex items-baseline justify-between gap-2 text-small font-semibold text-ink-2',
          labelHidden && 'sr-only',
        )}
      >
        {label}
        {note !== undefined && <span className="font-normal text-ink-3">{note}</span>}
      </label>
      <FieldContext.Provider
        value={{ id, labelId, invalid, describedBy: invalid || hint ? helpId : undefined }}
      >
        {children}
      </FieldContext.Provider>
      <div id={helpId} aria-live="polite">
        {invalid ? (
          <p className="mt-1.5 flex items-start gap-1.5 text-small text-danger">
            <CircleAlert aria-hidden className="mt-px size-4 shrink-0" />
            {error}
          </p>
        ) : (
          hint && <p className="mt-1.5 text-small text-ink-3">{hint}</p>
        )}
      </div>
    </div>
  );
}
