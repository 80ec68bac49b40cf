import { useTranslation } from 'react-i18next';
import { now } from '../../core/clock.ts';
import { useFormat } from '../../core/use-format.ts';
import { localOf } from '../../core/zoned-time.ts';
import { FlexChoice } from './flex-choice.tsx';
import { FormPart } from './form-part.tsx';
import { lastDay } from './repeat.ts';
import { usePlanContext } from './use-plan.ts';
import { WeekFields } from './week-fields.tsx';
import { WhenField } from './when-field.tsx';
import { WindowFields } from './window-fields.tsx';

const flexChoices = [0, 15, 30, 60];

/** When the ride leaves, and how much later it may. */
export function DeparturePart() {
  const { t } = useTranslation('planning');
  const format = useFormat();
  const { values, route, errorOf, set } = usePlanContext();
  return (
    <FormPart title={t('part.when')}>
      <div id="field-local">
        <WhenField
          label={t('driver.when')}
          local={values.local}
          zone={route.zone}
          error={errorOf('local')}
          onChange={(local) => set('local', local)}
        />
      </div>
      <FlexChoice
        label={t('flex.driver')}
        hint={t('flex.driverHint')}
        choices={flexChoices}
        minutes={values.flexMinutes}
        nameOf={(value) => (value === 0 ? t('flex.none') : format.duration(value * 60))}
        onChange={(minutes) => set('flexMinutes', minutes)}
      />
    </FormPart>
  );
}

/** When a passenger can be picked up. */
export function WindowPart() {
  const { t } = useTranslation('planning');
  const { values, route, errorOf, change } = usePlanContext();
  return (
    <FormPart title={t('part.when')}>
      <WindowFields draft={values} zone={route.zone} error={errorOf('local')} onChange={change} />
    </FormPart>
  );
}

/** The days of a weekly ride that runs already. */
export function WeekPart() {
  const { t } = useTranslation('recurring');
  const { zone } = usePlanContext();
  return (
    <FormPart title={t('card.title')}>
      <PlanWeek zone={zone} />
    </FormPart>
  );
}

/** On which days the plan comes back, and until when; nothing where it does not. */
export function PlanWeek({ zone }: { zone: string }) {
  const { values, errorOf, set } = usePlanContext();
  const { weekly } = values;
  if (weekly === null) return null;
  return (
    <WeekFields
      weekly={weekly}
      firstDay={localOf(now(), zone).slice(0, 10)}
      lastDay={lastDay(now(), zone)}
      errors={{ weekdays: errorOf('weekly.weekdays'), untilDay: errorOf('weekly.untilDay') }}
      onWeekdays={(weekdays) => set('weekly', { ...weekly, weekdays })}
      onUntilDay={(untilDay) => set('weekly', { ...weekly, untilDay })}
    />
  );
}
