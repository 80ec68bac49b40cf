import { useTranslation } from 'react-i18next';
import { weekdayName } from '../../core/use-weekdays.ts';
import { classes } from '../../ui/classes.ts';
import { Field, useFieldGroup } from '../../ui/field.tsx';
import { TextInput } from '../../ui/inputs.tsx';
import type { Draft } from './draft.ts';
import type { PlanField, Problems } from './publish.ts';

type Weekly = NonNullable<Draft['weekly']>;
const days = [1, 2, 3, 4, 5, 6, 7];

/** The days of a series, and its last day. */
export function WeekFields({
  weekly,
  firstDay,
  lastDay,
  problems,
  onChange,
}: {
  weekly: Weekly;
  firstDay: string;
  lastDay: string;
  problems: Problems;
  onChange: (part: Partial<Weekly>, field: PlanField) => void;
}) {
  const { t } = useTranslation('recurring');
  return (
    <>
      <div id="field-weekdays">
        <Field label={t('repeat.days')} error={problems.weekdays}>
          <Days chosen={weekly.weekdays} onChange={(weekdays) => onChange({ weekdays }, 'weekdays')} />
        </Field>
      </div>
      <div id="field-untilDay">
        <Field label={t('repeat.until')} hint={t('repeat.untilHint')} error={problems.untilDay}>
          <TextInput
            type="date"
            className="figures"
            min={firstDay}
            max={lastDay}
            value={weekly.untilDay}
            onChange={({ target }) => onChange({ untilDay: target.value }, 'untilDay')}
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
