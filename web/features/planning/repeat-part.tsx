import { useTranslation } from 'react-i18next';
import { Switch } from '../../ui/switch.tsx';
import { FormPart } from './form-part.tsx';
import type { PlanValues } from './plan-values.ts';
import { firstBack, firstWeek, isDayAfter } from './repeat.ts';
import { SeatsField } from './seats-field.tsx';
import { PlanWeek } from './time-parts.tsx';
import { useBackZone } from './use-back-zone.ts';
import { usePlanContext } from './use-plan.ts';
import { TimeField } from './week-fields.tsx';
import { WhenField } from './when-field.tsx';

/** Whether the way back is planned too, and whether all of it comes back every week. */
export function RepeatPart() {
  const { t } = useTranslation('recurring');
  const { values, route, set } = usePlanContext();
  const { back, weekly, local, seats } = values;
  return (
    <FormPart title={t('repeat.title')}>
      <Switch
        label={t('repeat.back')}
        detail={t('repeat.backDetail')}
        checked={back !== null}
        onChange={(on) => set('back', on ? firstBack(local, seats) : null)}
      />
      {back !== null && <BackFields back={back} />}
      {/* An event has one day. */}
      {values.eventId === null && (
        <>
          <Switch
            label={t('repeat.weekly')}
            detail={t('repeat.weeklyDetail')}
            checked={weekly !== null}
            onChange={(on) => set('weekly', on ? firstWeek(local) : null)}
          />
          {route.zone !== null && <PlanWeek zone={route.zone} />}
        </>
      )}
    </FormPart>
  );
}

/** When the way back begins, and its seats. */
function BackFields({ back }: { back: NonNullable<PlanValues['back']> }) {
  const { t } = useTranslation('recurring');
  const plan = usePlanContext();
  const { kind, values, route, errorOf, set } = plan;
  const setBack = (part: Partial<typeof back>) => set('back', { ...back, ...part });
  const backZone = useBackZone(plan);
  const label = t(kind.side === 'driver' ? 'repeat.backWhen' : 'repeat.backWhenPassenger');
  const timeThere = values.local.slice(11, 16);
  const timeBack = back.local.slice(11, 16);
  return (
    <>
      <div id="field-back.local">
        {values.weekly === null ? (
          <WhenField
            label={label}
            local={back.local}
            zone={route.zone && backZone}
            error={errorOf('back.local')}
            onChange={(local) => setBack({ local })}
          />
        ) : (
          <TimeField
            label={label}
            time={timeBack}
            hint={isDayAfter(timeThere, timeBack) ? t('repeat.dayAfter') : undefined}
            error={errorOf('back.local')}
            onChange={(time) => setBack({ local: `${(back.local || values.local).slice(0, 10)}T${time}` })}
          />
        )}
      </div>
      <div id="field-back.seats">
        <SeatsField
          label={t('repeat.backSeats')}
          seats={back.seats}
          error={errorOf('back.seats')}
          onChange={(seats) => setBack({ seats })}
        />
      </div>
    </>
  );
}
