import { Check } from 'lucide-react';

/** One small box with its word next to it, for several in a row. */
export function Checkbox({
  label,
  fullLabel,
  checked,
  disabled = false,
  onChange,
}: {
  label: string;
  /** The meaning of the box without its row. */
  fullLabel: string;
  checked: boolean;
  disabled?: boolean;
  onChange: (checked: boolean) => void;
}) {
  return (
    <label className="relative flex min-h-11 cursor-pointer items-center gap-2 text-body has-disabled:opacity-50">
      <input
        type="checkbox"
        aria-label={fullLabel}
        className="peer absolute inset-0 m-0 cursor-pointer opacity-0"
        checked={checked}
        disabled={disabled}
        onChange={(event) => onChange(event.target.checked)}
      />
      <span
        aria-hidden
        className="pointer-events-none grid size-6 shrink-0 place-items-center rounded-small border-2 border-edge bg-surface text-transparent peer-checked:border-brand-ink peer-checked:bg-brand-ink peer-checked:text-white peer-focus-visible:outline-3 peer-focus-visible:outline-offset-2 peer-focus-visible:outline-brand-ink"
      >
        <Check className="size-4" strokeWidth={3} />
      </span>
      {label}
    </label>
  );
}
