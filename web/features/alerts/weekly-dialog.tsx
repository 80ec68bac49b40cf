import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { planAheadDays } from '#contract/units.ts';
import { now } from '../../core/clock.ts';
import { useDraft } from '../../core/drafts.ts';
import * as shape from '../../core/shape.ts';
import { dayOf, zoneName } from '#contract/formats/times.ts';
import { Button } from '../../ui/button.tsx';
import { classes } from '../../ui/classes.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { TextInput } from '../../ui/inputs.tsx';
import { weeklyOf, type AlertInput, type OnceAlert, type WeeklyTimes } from './alert-input.ts';
import { weekdayName } from '../../core/use-weekdays.ts';

const weekdays = [1, 2, 3, 4, 5, 6, 7];
const dayMs = 86_400_000;

/** Half filled in, so without the rules of the call. */
const kept = shape.fields({
  kind: shape.oneOf('weekly'),
  days: shape.list(shape.figure),
  fromTime: shape.text,
  toTime: shape.text,
  until: shape.text,
});

/** The key under which the times chosen for a search are stored until they are saved. */
export const weeklyDraft = (alert: OnceAlert): string => `weeklyAlert.${JSON.stringify(alert)}`;

/** Days, times and an end, filled in from the window that was searched for. */
export function WeeklyDialog({
  alert,
  timeZone,
  busy,
  fields,
  onClose,
  onSave,
}: {
  alert: OnceAlert;
  timeZone: string;
  busy: boolean;
  /** What the server refused, by path. */
  fields: Readonly<Record<string, string>>;
  onClose: () => void;
  onSave: (alert: AlertInput) => void;
}) {
  const { t } = useTranslation(['alerts', 'common']);
  const [initial] = useState(() => weeklyOf(alert, timeZone, now()));
  const [times, setTimes] = useDraft<WeeklyTimes>(weeklyDraft(alert), initial, kept);
  const change = (part: Partial<WeeklyTimes>) => setTimes((before) => ({ ...before, ...part }));
  const error = (field: string) => fields[`alert.times.${field}`];
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={t('alerts:weekly.title')}
      closeLabel={t('common:close')}
      action={
        <Button full busy={busy} onClick={() => onSave({ ...alert, times })}>
          {t('alerts:weekly.button')}
        </Button>
      }
    >
      <div className="flex flex-col gap-4 pt-2">
        <Field label={t('alerts:weekly.days')} error={error('days')}>
          <Days days={times.days} onChange={(days) => change({ days })} />
        </Field>
        <TimeRange times={times} errorOf={error} onChange={change} />
        <p className="-mt-2 text-small text-ink-3">
          {t('alerts:weekly.zone', { zone: zoneName(new Date(now()).toISOString(), timeZone) })}
          {times.toTime < times.fromTime && ` · ${t('alerts:weekly.nextDay')}`}
        </p>
        <Field label={t('alerts:weekly.until')} error={error('until')}>
          <TextInput
            type="date"
            className="figures"
            min={dayOf(now(), timeZone)}
            max={dayOf(now() + planAheadDays * dayMs, timeZone)}
            value={times.until}
            onChange={({ target }) => change({ until: target.value })}
          />
        </Field>
      </div>
    </Dialog>
  );
}

function Days({ days, onChange }: { days: readonly number[]; onChange: (days: number[]) => void }) {
  const { t } = useTranslation('alerts');
  const toggle = (day: number) =>
    onChange(
      days.includes(day) ? days.filter((each) => each !== day) : [...days, day].toSorted((a, b) => a - b),
    );
  return (
    <fieldset aria-label={t('weekly.days')} className="grid min-w-0 grid-cols-7 gap-1">
      {weekdays.map((day) => (
        <button
          key={day}
          type="button"
          aria-pressed={days.includes(day)}
          onClick={() => toggle(day)}
          className={classes(
            'min-h-11 min-w-0 rounded-control text-small font-semibold transition-colors duration-150',
            days.includes(day)
              ? 'bg-ink text-white'
              : 'bg-surface text-ink ring-1 ring-line-2 ring-inset hover:bg-page',
          )}
        >
          {weekdayName(day)}
        </button>
      ))}
    </fieldset>
  );
}

/** From when until when on each of the days. */
function TimeRange({
  times,
  errorOf,
  onChange,
}: {
  times: WeeklyTimes;
  errorOf: (field: string) => string | undefined;
  onChange: (part: Partial<WeeklyTimes>) => void;
}) {
  const { t } = useTranslation('alerts');
  return (
    <div className="grid grid-cols-2 gap-3">
      <Field label={t('weekly.from')} error={errorOf('fromTime')}>
        <TextInput
          type="time"
          className="figures"
          value={times.fromTime}
          onChange={({ target }) => onChange({ fromTime: target.value })}
        />
      </Field>
      <Field label={t('weekly.to')} error={errorOf('toTime')}>
        <TextInput
          type="time"
          className="figures"
          value={times.toTime}
          onChange={({ target }) => onChange({ toTime: target.value })}
        />
      </Field>
    </div>
  );
}
