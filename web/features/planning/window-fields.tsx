import { useTranslation } from 'react-i18next';
import { useFormat } from '../../core/use-format.ts';
import type { PlanValues } from './plan-values.ts';
import { FlexChoice } from './flex-choice.tsx';
import { windowOf } from './order-input.ts';
import { WhenField } from './when-field.tsx';

const flexChoices = [15, 30, 60];

/** When a passenger wants to leave, and how much earlier or later is fine; the window that makes in words. */
export function WindowFields({
  draft,
  zone,
  error,
  onChange,
}: {
  draft: PlanValues;
  zone: string | null;
  error: string | undefined;
  onChange: (part: Partial<Pick<PlanValues, 'local' | 'flexMinutes'>>) => void;
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
      <FlexChoice
        label={t('flex.passenger')}
        hint={
          window &&
          zone !== null && (
            <span className="figures">
              {t('flex.window', { span: format.whenInSentence(window.earliestAt, zone, window.latestAt) })}
            </span>
          )
        }
        choices={flexChoices}
        minutes={draft.flexMinutes}
        nameOf={(value) => `± ${format.duration(value * 60)}`}
        onChange={(flexMinutes) => onChange({ flexMinutes })}
      />
    </>
  );
}
