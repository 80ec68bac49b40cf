import type { ReactNode } from 'react';
import { SegmentedControl } from '../../ui/choices.tsx';

/** A few minutes of patience to choose from, all visible. */
export function FlexChoice({
  label,
  hint,
  choices,
  minutes,
  nameOf,
  onChange,
}: {
  label: string;
  hint: ReactNode;
  choices: readonly number[];
  minutes: number;
  nameOf: (minutes: number) => string;
  onChange: (minutes: number) => void;
}) {
  return (
    <div>
      <p aria-hidden className="mb-1.5 text-small font-semibold text-ink-2">
        {label}
      </p>
      <SegmentedControl
        label={label}
        value={String(minutes)}
        options={choices.map((choice) => ({ value: String(choice), label: nameOf(choice) }))}
        onChange={(choice) => onChange(Number(choice))}
      />
      {hint && <p className="mt-1.5 text-small text-ink-3">{hint}</p>}
    </div>
  );
}
