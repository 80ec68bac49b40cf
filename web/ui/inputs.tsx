import { ChevronDown, ChevronRight, Minus, Plus, Search, X } from 'lucide-react';
import {
  useState,
  type InputHTMLAttributes,
  type KeyboardEvent,
  type ReactNode,
  type Ref,
  type SelectHTMLAttributes,
  type TextareaHTMLAttributes,
} from 'react';
import { IconButton } from './button.tsx';
import { classes } from './classes.ts';
import { useFieldControl, useFieldGroup } from './field.tsx';

/** The classes that all boxes to fill in share. */
const box =
  'w-full min-h-12 rounded-control border border-edge bg-surface px-3.5 text-lead transition-colors duration-150 focus:border-brand-ink focus:outline-2 focus:-outline-offset-1 focus:outline-brand-ink aria-invalid:border-danger aria-invalid:outline-danger disabled:bg-page disabled:text-ink-3';

export interface TextInputProps extends InputHTMLAttributes<HTMLInputElement> {
  /** Drawn inside the box, before the text. */
  before?: ReactNode;
  /** Drawn inside the box, after the text: a unit, a show-password button. */
  after?: ReactNode;
  ref?: Ref<HTMLInputElement>;
}

/**
 * One line of text. Set `type`, `inputMode` and `autoComplete` so that the right keyboard and suggestions
 * come.
 */
export function TextInput({ before, after, className, ...rest }: TextInputProps) {
  const control = useFieldControl();
  if (!before && !after) return <input {...control} {...rest} className={classes(box, className)} />;
  return (
    <span className="relative flex items-center">
      {before && <span className="pointer-events-none absolute left-3.5 text-ink-3">{before}</span>}
      <input
        {...control}
        {...rest}
        className={classes(box, before !== undefined && 'pl-11', after !== undefined && 'pr-13', className)}
      />
      {after && <span className="absolute right-1 grid min-w-11 place-items-center text-ink-3">{after}</span>}
    </span>
  );
}

export interface TextAreaProps extends TextareaHTMLAttributes<HTMLTextAreaElement> {
  ref?: Ref<HTMLTextAreaElement>;
}

/** Several lines of text; grows with them. */
export function TextArea({ className, rows = 3, ...rest }: TextAreaProps) {
  return (
    <textarea
      rows={rows}
      {...useFieldControl()}
      {...rest}
      className={classes(box, 'field-sizing-content max-h-60 min-h-24 resize-none py-2.5', className)}
    />
  );
}

export interface SelectProps extends SelectHTMLAttributes<HTMLSelectElement> {
  options: readonly { value: string; label: string }[];
  /** Shown while nothing is chosen. */
  placeholder?: string;
  ref?: Ref<HTMLSelectElement>;
}

/** One of a few words, with the device's own picker. */
export function Select({ options, placeholder, className, ...rest }: SelectProps) {
  return (
    <span className="relative flex items-center">
      <select {...useFieldControl()} {...rest} className={classes(box, 'appearance-none pr-11', className)}>
        {placeholder !== undefined && (
          <option value="" disabled>
            {placeholder}
          </option>
        )}
        {options.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
      <ChevronDown aria-hidden className="pointer-events-none absolute right-3.5 size-5 text-ink-3" />
    </span>
  );
}

/** A box that shows a choice made on another page or sheet, and opens it: a place, a brand. */
export function PickerRow({
  value,
  placeholder,
  icon,
  onClick,
  label,
}: {
  /** The choice in words; empty shows the placeholder. */
  value: string;
  placeholder: string;
  icon?: ReactNode;
  onClick: () => void;
  /** The accessible name where there is no Field around it. */
  label?: string;
}) {
  const { 'aria-invalid': invalid, ...control } = useFieldControl();
  const { 'aria-labelledby': labelledBy } = useFieldGroup();
  const valueId = control.id === undefined ? undefined : `${control.id}-value`;
  return (
    <button
      type="button"
      {...control}
      {...(labelledBy === undefined
        ? { 'aria-label': `${label ?? placeholder}: ${value || placeholder}` }
        : { 'aria-labelledby': `${labelledBy} ${valueId}` })}
      onClick={onClick}
      className={classes(box, 'flex items-center gap-3 text-left hover:bg-page', invalid && 'border-danger')}
    >
      {icon}
      <span id={valueId} className={classes('min-w-0 flex-1 truncate', value === '' && 'text-ink-3')}>
        {value || placeholder}
      </span>
      <ChevronRight aria-hidden className="size-5 shrink-0 text-ink-3" />
    </button>
  );
}

/** A small whole number, by buttons: seats. Keyboard: arrows on either button work as a spin button does. */
export function NumberStepper({
  value,
  onChange,
  min = 1,
  max = 8,
  words,
  shown = String,
  disabled = false,
}: {
  value: number;
  onChange: (value: number) => void;
  min?: number;
  max?: number;
  /** Names of the two buttons: "Fewer seats", "More seats". */
  words: { less: string; more: string };
  /** The value in words, "2 seats". */
  shown?: (value: number) => string;
  disabled?: boolean;
}) {
  const group = useFieldGroup();
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'ArrowUp' || event.key === 'ArrowRight') step(1);
    else if (event.key === 'ArrowDown' || event.key === 'ArrowLeft') step(-1);
    else return;
    event.preventDefault();
  };
  const step = (by: number) => onChange(Math.min(max, Math.max(min, value + by)));
  return (
    <fieldset
      {...group}
      className="flex min-h-12 min-w-0 items-center justify-between gap-2 rounded-control border border-edge bg-surface px-1"
    >
      <IconButton
        label={words.less}
        icon={<Minus aria-hidden />}
        disabled={disabled || value <= min}
        onKeyDown={onKeyDown}
        onClick={() => step(-1)}
      />
      <output aria-live="polite" className="figures text-lead font-semibold">
        {shown(value)}
      </output>
      <IconButton
        label={words.more}
        icon={<Plus aria-hidden />}
        disabled={disabled || value >= max}
        onKeyDown={onKeyDown}
        onClick={() => step(1)}
      />
    </fieldset>
  );
}

export interface DateTimeFieldProps extends Omit<
  InputHTMLAttributes<HTMLInputElement>,
  'type' | 'value' | 'onChange'
> {
  /** A local date and time as native pickers give it, `2026-11-24T07:15`; empty for none. */
  value: string;
  onChange: (local: string) => void;
  /** The zone of the place, written next to the picker: "PST". */
  zone: string;
  ref?: Ref<HTMLInputElement>;
}

/** Date and time by the device's own picker, with the place's zone. Convert with `core/zoned-time.ts`. */
export function DateTimeField({ value, onChange, zone, className, ...rest }: DateTimeFieldProps) {
  return (
    <span className="flex items-center gap-3 large-text:flex-wrap">
      <input
        type="datetime-local"
        step={300}
        {...useFieldControl()}
        {...rest}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        className={classes(box, 'figures min-w-0 flex-1 large-text:basis-full', className)}
      />
      <span className="shrink-0 text-small font-semibold text-ink-2">{zone}</span>
    </span>
  );
}

export interface MoneyFieldProps extends Omit<
  InputHTMLAttributes<HTMLInputElement>,
  'type' | 'value' | 'onChange'
> {
  /** Whole cents; null for an empty field. */
  cents: number | null;
  onChange: (cents: number | null) => void;
  ref?: Ref<HTMLInputElement>;
}

const dollarsOf = (cents: number | null) =>
  cents === null ? '' : cents % 100 === 0 ? String(cents / 100) : (cents / 100).toFixed(2);

/** An amount of dollars, as whole cents. What is being typed is left alone until the field is left. */
export function MoneyField({ cents, onChange, className, onBlur, ...rest }: MoneyFieldProps) {
  const [typed, setTyped] = useState<string | null>(null);
  return (
    <TextInput
      {...rest}
      inputMode="decimal"
      autoComplete="off"
      before={<span className="text-lead text-ink-2">$</span>}
      value={typed ?? dollarsOf(cents)}
      className={classes('figures', className)}
      onChange={(event) => {
        const text = event.target.value.replace(',', '.');
        if (!/^\d{0,5}(\.\d{0,2})?$/.test(text)) return;
        setTyped(text);
        onChange(text === '' || text === '.' ? null : Math.round(Number(text) * 100));
      }}
      onBlur={(event) => {
        setTyped(null);
        onBlur?.(event);
      }}
    />
  );
}

/** A search box with its own clear button. `label` is its accessible name and placeholder. */
export function SearchField({
  value,
  onChange,
  label,
  clearLabel,
  ...rest
}: {
  value: string;
  onChange: (text: string) => void;
  label: string;
  clearLabel: string;
  autoFocus?: boolean;
  ref?: Ref<HTMLInputElement>;
}) {
  return (
    <TextInput
      {...rest}
      type="search"
      enterKeyHint="search"
      autoComplete="off"
      aria-label={label}
      placeholder={label}
      value={value}
      onChange={(event) => onChange(event.target.value)}
      className="[&::-webkit-search-cancel-button]:hidden"
      before={<Search aria-hidden className="size-5" />}
      after={
        value !== '' && (
          <IconButton
            label={clearLabel}
            icon={<X aria-hidden className="size-5" />}
            onClick={() => onChange('')}
          />
        )
      }
    />
  );
}
