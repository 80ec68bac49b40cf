import { useId, type ReactNode } from 'react';

/** On or off, at once, with its meaning next to it. */
export function Switch({
  label,
  detail,
  checked,
  disabled = false,
  onChange,
}: {
  label: string;
  detail?: ReactNode;
  checked: boolean;
  disabled?: boolean;
  onChange: (checked: boolean) => void;
}) {
  const id = useId();
  return (
    <label className="relative flex min-h-13 cursor-pointer items-center gap-3 py-2 has-disabled:opacity-50">
      <span className="min-w-0 flex-1">
        <span className="block text-lead">{label}</span>
        {detail && (
          <span id={id} className="block text-small text-ink-3">
            {detail}
          </span>
        )}
      </span>
      <input
        type="checkbox"
        role="switch"
        aria-checked={checked}
        aria-label={label}
        {...(detail ? { 'aria-describedby': id } : {})}
        className="peer absolute inset-0 m-0 cursor-pointer opacity-0"
        checked={checked}
        disabled={disabled}
        onChange={(event) => onChange(event.target.checked)}
      />
      <span
        aria-hidden
        className="pointer-events-none flex h-8 w-13 shrink-0 items-center rounded-full bg-edge p-1 transition-colors duration-150 peer-checked:justify-end peer-checked:bg-brand-ink peer-focus-visible:outline-3 peer-focus-visible:outline-offset-2 peer-focus-visible:outline-brand-ink"
      >
        <span className="size-6 rounded-full bg-surface shadow-card" />
      </span>
    </label>
  );
}
