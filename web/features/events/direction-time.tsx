import { useTranslation } from 'react-i18next';
import { zoneName } from '#contract/formats/times.ts';
import { useFormat } from '../../core/use-format.ts';
import { instantOf, localOf } from '../../core/zoned-time.ts';
import { Field } from '../../ui/field.tsx';
import { DateTimeField } from '../../ui/inputs.tsx';
import { Switch } from '../../ui/switch.tsx';

export interface Span {
  earliestMs: number;
  latestMs: number;
}

/** One way of an event: wanted or not, and when; the time that fits the event until another is chosen. */
export interface DirectionChoice {
  on: boolean;
  /** What clocks show where it starts; null follows the event. */
  local: string | null;
}

/**
 * The span that a choice means, as long as the one that fits the event; null while its time is incomplete.
 */
export function spanOf(choice: DirectionChoice, fits: Span, zone: string): Span | null {
  if (choice.local === null) return fits;
  const at = instantOf(choice.local, zone);
  if (at === null) return null;
  const earliestMs = Date.parse(at);
  return { earliestMs, latestMs: earliestMs + fits.latestMs - fits.earliestMs };
}

/** Chooses one way and its time. */
export function DirectionTime({
  label,
  timeLabel,
  choice,
  fits,
  zone,
  error,
  onChange,
}: {
  label: string;
  timeLabel: string;
  choice: DirectionChoice;
  fits: Span;
  zone: string;
  error: string | undefined;
  onChange: (choice: DirectionChoice) => void;
}) {
  const { t } = useTranslation('events');
  const format = useFormat();
  const span = spanOf(choice, fits, zone);
  return (
    <div className="flex flex-col gap-3">
      <Switch label={label} checked={choice.on} onChange={(on) => onChange({ ...choice, on })} />
      {choice.on && (
        <Field
          label={timeLabel}
          error={error}
          {...(span === null
            ? {}
            : {
                hint: t('join.until', {
                  time: format.timeOfDay(new Date(span.latestMs).toISOString(), zone),
                }),
              })}
        >
          <DateTimeField
            value={choice.local ?? localOf(fits.earliestMs, zone)}
            zone={zoneName(new Date(fits.earliestMs).toISOString(), zone)}
            onChange={(local) => onChange({ ...choice, local })}
          />
        </Field>
      )}
    </div>
  );
}
