import { useTranslation } from 'react-i18next';
import { useFormat } from '../../base/use-format.ts';
import { Field } from '../../ui/field.tsx';
import { ChipChoice } from './chip-choice.tsx';
import type { PassengerDraft } from './draft.ts';
import { windowOf } from './publish.ts';
import { WhenField } from './when-field.tsx';

const flexChoices = [15, 30, 60] as const;

/** When a passenger wants to leave, and how much earlier or later is fine; the window that makes in words. */
export function WindowFields({
  draft,
  zone,
  error,
  onChange,
}: {
  draft: PassengerDraft;
  zone: string | null;
  error: string | undefined;
  onChange: (part: Partial<Pick<PassengerDraft, 'local' | 'flexMinutes'>>) => void;
}) {
  const { t } = useTranslation('planning');
  const format = useFormat();
  const window = zone === null ? null : windowOf(draft, zone);
  return (
    <>
      <div id="field-local">
        <WhenField
          label={t('passenger.when')}
          local={draft.local}
          zone={zone}
          error={error}
          onChange={(local) => onChange({ local })}
        />
      </div>
      <Field
        label={t('flex.passenger')}
        hint={
          window &&
          zone !== null && (
            <span className="figures">
              {t('flex.window', {
                from: format.when(window.earliestAt, zone),
                until: format.timeOfDay(window.latestAt, zone),
              })}
            </span>
          )
        }
      >
        <ChipChoice
          values={flexChoices}
          value={draft.flexMinutes as (typeof flexChoices)[number]}
          nameOf={(value) => `± ${format.duration(value * 60)}`}
          onChange={(flexMinutes) => onChange({ flexMinutes })}
        />
      </Field>
    </>
  );
}
