import { CalendarDays } from 'lucide-react';
import { Chip } from './chips.tsx';
import { classes } from './classes.ts';
import { useFieldGroup } from './field.tsx';

export interface DayTimeFieldProps {
  /** A local date and time, `2026-11-24T07:15`; empty for none. */
  value: string;
  onChange: (local: string) => void;
  /** The present day where the time is meant, `2026-11-23`; earlier days cannot be picked. */
  today: string;
  /** A day that is neither today nor tomorrow, in words. */
  nameOf: (day: string) => string;
  words: { today: string; tomorrow: string; pick: string; date: string; time: string };
  /** The zone of the place, where it is not the device's; else empty. */
  zone?: string;
  invalid?: boolean;
  disabled?: boolean;
}

const dayMs = 86_400_000;
const dayAfter = (day: string): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + dayMs).toISOString().slice(0, 10);

/** A day by one tap for today and tomorrow, by the device's calendar for any other; and a time of day. */
export function DayTimeField({
  value,
  onChange,
  today,
  nameOf,
  words,
  zone = '',
  invalid = false,
  disabled = false,
}: DayTimeFieldProps) {
  const group = useFieldGroup();
  const [day = '', time = ''] = value.split('T');
  const tomorrow = dayAfter(today);
  const isOther = day !== '' && day !== today && day !== tomorrow;
  const pick = (next: string) => onChange(`${next}T${time}`);
  return (
    <fieldset {...group} disabled={disabled} className="flex min-w-0 flex-wrap items-center gap-2">
      <Chip selected={day === today} onClick={() => pick(today)}>
        {words.today}
      </Chip>
      <Chip selected={day === tomorrow} onClick={() => pick(tomorrow)}>
        {words.tomorrow}
      </Chip>
      <label
        className={classes(
          'relative inline-flex min-h-11 items-center gap-2 rounded-full px-4 font-semibold whitespace-nowrap has-focus-visible:outline-3 has-focus-visible:outline-offset-2 has-focus-visible:outline-brand-ink',
          isOther ? 'bg-ink text-white' : 'bg-surface text-ink ring-1 ring-line-2 ring-inset hover:bg-page',
        )}
      >
        <CalendarDays aria-hidden className="size-5" />
        {isOther ? nameOf(day) : words.pick}
        <input
          type="date"
          aria-label={words.date}
          aria-invalid={invalid || undefined}
          className="absolute inset-0 w-full cursor-pointer opacity-0"
          min={today}
          value={day}
          onClick={({ currentTarget }) => openPicker(currentTarget)}
          onChange={({ target }) => target.value !== '' && pick(target.value)}
        />
      </label>
      <span className="flex min-w-0 items-center gap-3">
        <input
          type="time"
          step={300}
          aria-label={words.time}
          aria-invalid={invalid || undefined}
          className="figures min-h-11 min-w-0 rounded-control border border-edge bg-surface px-3.5 text-lead transition-colors duration-150 focus:border-brand-ink focus:outline-2 focus:-outline-offset-1 focus:outline-brand-ink aria-invalid:border-danger disabled:bg-page disabled:text-ink-3"
          value={time}
          onChange={({ target }) => onChange(`${day === '' ? today : day}T${target.value}`)}
        />
        {zone !== '' && <span className="shrink-0 text-small font-semibold text-ink-2">{zone}</span>}
      </span>
    </fieldset>
  );
}

/** Desktop browsers open the calendar from its icon alone, which is not shown here. */
function openPicker(input: HTMLInputElement): void {
  try {
    input.showPicker();
  } catch {
    // The browser has no picker, or opens it by itself: the field can still be typed in.
  }
}
