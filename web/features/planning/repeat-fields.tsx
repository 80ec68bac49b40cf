import { useTranslation } from 'react-i18next';
import { now } from '../../core/clock.ts';
import { localOf } from '../../core/zoned-time.ts';
import { Switch } from '../../ui/switch.tsx';
import type { Draft } from './draft.ts';
import { FormPart } from './form-part.tsx';
import type { PlanField, Problems } from './publish.ts';
import { firstBack, firstWeek, isDayAfter, lastDay } from './repeat.ts';
import { SeatsField } from './seats-field.tsx';
import { WeekFields, TimeField } from './week-fields.tsx';
import { WhenField } from './when-field.tsx';

type RepeatDraft = Pick<Draft, 'local' | 'seats' | 'back' | 'weekly' | 'eventId'>;
type ChangeRepeat = (part: Partial<Pick<Draft, 'back' | 'weekly'>>, ...fields: PlanField[]) => void;

/** Whether the way back is planned too, and whether all of it comes back every week. */
export function RepeatFields({
  draft,
  isDriver,
  zone,
  backZone,
  problems,
  change,
}: {
  draft: RepeatDraft;
  isDriver: boolean;
  zone: string | null;
  /** Of the place where the way back begins. */
  backZone: string | null;
  problems: Problems;
  change: ChangeRepeat;
}) {
  const { t } = useTranslation('recurring');
  const { back, weekly } = draft;
  return (
    <FormPart title={t('repeat.title')}>
      <Switch
        label={t('repeat.back')}
        detail={t('repeat.backDetail')}
        checked={back !== null}
        onChange={(on) =>
          change({ back: on ? firstBack(draft.local, draft.seats) : null }, 'backLocal', 'backSeats')
        }
      />
      {back !== null && (
        <BackFields
          draft={draft}
          back={back}
          label={t(isDriver ? 'repeat.backWhen' : 'repeat.backWhenPassenger')}
          zone={backZone}
          problems={problems}
          change={change}
        />
      )}
      {/* An event has one day. */}
      {draft.eventId === null && (
        <>
          <Switch
            label={t('repeat.weekly')}
            detail={t('repeat.weeklyDetail')}
            checked={weekly !== null}
            onChange={(on) => change({ weekly: on ? firstWeek(draft.local) : null }, 'weekdays', 'untilDay')}
          />
          {weekly !== null && zone !== null && (
            <WeekFields
              weekly={weekly}
              firstDay={localOf(now(), zone).slice(0, 10)}
              lastDay={lastDay(now(), zone)}
              problems={problems}
              onChange={(part, field) => change({ weekly: { ...weekly, ...part } }, field)}
            />
          )}
        </>
      )}
    </FormPart>
  );
}

/** When the way back begins, and its seats. */
function BackFields({
  draft: { local: localThere, weekly },
  back,
  label,
  zone,
  problems,
  change,
}: {
  draft: RepeatDraft;
  back: NonNullable<Draft['back']>;
  label: string;
  zone: string | null;
  problems: Problems;
  change: ChangeRepeat;
}) {
  const { t } = useTranslation('recurring');
  return (
    <>
      <div id="field-backLocal">
        {weekly === null ? (
          <WhenField
            label={label}
            local={back.local}
            zone={zone}
            error={problems.backLocal}
            onChange={(local) => change({ back: { ...back, local } }, 'backLocal')}
          />
        ) : (
          <TimeField
            label={label}
            time={back.local.slice(11, 16)}
            hint={
              isDayAfter(localThere.slice(11, 16), back.local.slice(11, 16))
                ? t('repeat.dayAfter')
                : undefined
            }
            error={problems.backLocal}
            onChange={(time) =>
              change(
                { back: { ...back, local: `${(back.local || localThere).slice(0, 10)}T${time}` } },
                'backLocal',
              )
            }
          />
        )}
      </div>
      <div id="field-backSeats">
        <SeatsField
          label={t('repeat.backSeats')}
          seats={back.seats}
          error={problems.backSeats}
          onChange={(seats) => change({ back: { ...back, seats } }, 'backSeats')}
        />
      </div>
    </>
  );
}
