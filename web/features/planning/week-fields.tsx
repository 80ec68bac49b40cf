import { useTranslation } from 'react-i18next';
import { weekdayName } from '../../core/use-weekdays.ts';
import { classes } from '../../ui/classes.ts';
import { Field, useFieldGroup } from '../../ui/field.tsx';
import { TextInput } from '../../ui/inputs.tsx';
import type { PlanValues } from './plan-values.ts';

type Weekly = NonNullable<PlanValues['weekly']>;
const days = [1, 2, 3, 4, 5, 6, 7];

/** The days of a series, and its last day. */
export function WeekFields({
  weekly,
  firstDay,
  lastDay,
  errors,
  onWeekdays,
  onUntilDay,
}: {
  weekly: Weekly;
  firstDay: string;
  lastDay: string;
  errors: Record<keyof Weekly, string | undefined>;
  onWeekdays: (days: number[]) => void;
  onUntilDay: (day: string) => void;
}) {
  const { t } = useTranslation('recurring');
  return (
    <>
      <div id="field-weekly.weekdays">
        <Field label={t('repeat.days')} error={errors.weekdays}>
          <Days chosen={weekly.weekdays} onChange={onWeekdays} />
        </Field>
      </div>
      <div id="field-weekly.untilDay">
        <Field label={t('repeat.until')} hint={t('repeat.untilHint')} error={errors.untilDay}>
          <TextInput
            type="date"
            className="figures"
            min={firstDay}
            max={lastDay}
            value={weekly.untilDay}
            onChange={({ target }) => onUntilDay(target.value)}
          />
        </Field>
      </div>
    </>
  );
}

function Days({ chosen, onChange }: { chosen: number[]; onChange: (days: number[]) => void }) {
  const group = useFieldGroup();
  return (
    <fieldset {...group} className="grid min-w-0 grid-cols-7 gap-1">
      {days.map((day) => {
        const isChosen = chosen.includes(day);
        return (
          <button
            key={day}
            type="button"
            aria-pressed={isChosen}
            onClick={() =>
              onChange(
                isChosen ? chosen.filter((each) => each !== day) : [...chosen, day].toSorted((a, b) => a - b),
              )
            }
            className={classes(
              'min-h-11 min-w-0 rounded-control text-small font-semibold transition-colors duration-150',
              isChosen
                ? 'bg-ink text-white'
                : 'bg-surface text-ink ring-1 ring-line-2 ring-inset hover:bg-page',
            )}
          >
            {weekdayName(day)}
          </button>
        );
      })}
    </fieldset>
  );
}

/** A time of day, where the days are chosen apart. */
export function TimeField({
  label,
  time,
  hint,
  error,
  onChange,
}: {
  label: string;
  time: string;
  hint: string | undefined;
  error: string | undefined;
  onChange: (time: string) => void;
}) {
  return (
    <Field label={label} hint={hint} error={error}>
      <TextInput
        type="time"
        className="figures"
        value={time}
        onChange={({ target }) => onChange(target.value)}
      />
    </Field>
  );
}
