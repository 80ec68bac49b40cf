import { useId, type ReactNode } from 'react';
import { classes } from './classes.ts';
import { useFieldGroup } from './field.tsx';

export interface Option<V extends string> {
  value: V;
  label: string;
  /** A second line that says what the choice means. */
  detail?: ReactNode;
  icon?: ReactNode;
  disabled?: boolean;
}

/**
 * One of two to four short words, all visible: Driver | Passenger. No word is broken into two lines: in a
 * narrow row, the last words form a second one. Arrow keys move between them.
 */
export function SegmentedControl<V extends string>({
  label,
  options,
  value,
  onChange,
}: {
  /** Accessible name of the group. */
  label: string;
  options: readonly Option<V>[];
  value: V;
  onChange: (value: V) => void;
}) {
  const name = useId();
  return (
    <div
      role="radiogroup"
      aria-label={label}
      className="flex min-h-12 flex-wrap gap-1 rounded-control bg-ink/7 p-0.5"
    >
      {options.map((option) => (
        <label
          key={option.value}
          className="relative flex min-h-11 min-w-min flex-1 items-center justify-center gap-2 rounded-[10px] px-1.5 text-center font-semibold whitespace-nowrap text-ink-2 transition-colors duration-150 has-checked:bg-surface has-checked:text-ink has-checked:shadow-card has-focus-visible:outline-3 has-focus-visible:outline-offset-1 has-focus-visible:outline-brand-ink"
        >
          <input
            type="radio"
            name={name}
            className="absolute inset-0 m-0 cursor-pointer opacity-0"
            checked={option.value === value}
            disabled={option.disabled}
            onChange={() => onChange(option.value)}
          />
          {option.icon && <span className="grid shrink-0 large-text:hidden">{option.icon}</span>}
          {option.label}
        </label>
      ))}
    </div>
  );
}

const mark =
  'pointer-events-none grid size-6 shrink-0 place-items-center border-2 border-edge bg-surface text-transparent peer-checked:border-brand-ink peer-checked:bg-brand-ink peer-checked:text-white peer-focus-visible:outline-3 peer-focus-visible:outline-offset-2 peer-focus-visible:outline-brand-ink';

function ChoiceText({ option }: { option: Option<string> }) {
  return (
    <span className="min-w-0 flex-1">
      <span className="block text-lead">{option.label}</span>
      {option.detail && <span className="block text-small text-ink-3">{option.detail}</span>}
    </span>
  );
}

const choiceRow = 'relative flex min-h-13 cursor-pointer items-center gap-3 py-2 has-disabled:opacity-50';

/** One of several, each on its own row. Inside a Field it takes the field's label. */
export function RadioList<V extends string>({
  label,
  options,
  value,
  onChange,
}: {
  label?: string;
  options: readonly Option<V>[];
  value: V | null;
  onChange: (value: V) => void;
}) {
  const name = useId();
  const group = useFieldGroup();
  return (
    <div
      role="radiogroup"
      {...(label === undefined ? group : { 'aria-label': label })}
      className="divide-y divide-line"
    >
      {options.map((option) => (
        <label key={option.value} className={choiceRow}>
          <input
            type="radio"
            name={name}
            className="peer absolute inset-0 m-0 cursor-pointer opacity-0"
            checked={option.value === value}
            disabled={option.disabled}
            onChange={() => onChange(option.value)}
          />
          <span aria-hidden className={classes(mark, 'rounded-full')}>
            <span className="size-2.5 rounded-full bg-current" />
          </span>
          {option.icon}
          <ChoiceText option={option} />
        </label>
      ))}
    </div>
  );
}
