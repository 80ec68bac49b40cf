import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { walkingMetresPerMinute } from '#contract/units.ts';
import { useFormat } from '../../core/use-format.ts';
import { Field } from '../../ui/field.tsx';
import { ChipChoice } from './chip-choice.tsx';
import type { PassengerDraft } from './draft.ts';
import { FormPart } from './form-part.tsx';
import { MoreFields } from './more-fields.tsx';
import { OfferField } from './offer-field.tsx';
import { PreferenceFields } from './preference-fields.tsx';
import type { PlanField, Problems } from './publish.ts';
import { SeatsField } from './seats-field.tsx';
import type { PlannedRoute } from './use-planned-route.ts';
import { VisibilityFields } from './visibility-fields.tsx';
import { walkChoices } from './walks.ts';
import { WindowFields } from './window-fields.tsx';

interface RequestFormProps {
  draft: PassengerDraft;
  route: PlannedRoute;
  wayPart: ReactNode;
  preferred: NonNullable<PassengerDraft['contactWith']>;
  problems: Problems;
  change: (part: Partial<PassengerDraft>, ...fields: PlanField[]) => void;
  /** The way back and the days of a week, while a plan is new. */
  repeatPart?: ReactNode;
  /** Time, address and cost are agreed with a driver and not shown as fields. */
  termsStand?: boolean;
}

/** Everything a passenger decides about a request but its two ends. */
export function RequestForm({
  draft,
  route,
  wayPart,
  preferred,
  problems,
  change,
  repeatPart,
  termsStand = false,
}: RequestFormProps) {
  const { t } = useTranslation('planning');
  return (
    <>
      <FormPart title={t('part.way')}>
        {wayPart}
        {!termsStand && <WalkField draft={draft} problems={problems} change={change} />}
      </FormPart>
      {!termsStand && (
        <>
          <FormPart title={t('part.when')}>
            <WindowFields
              draft={draft}
              zone={route.zone}
              error={problems.local}
              onChange={(part) => change(part, 'local')}
            />
          </FormPart>
          {repeatPart}
          <FormPart title={t('part.seatsAndPrice')}>
            <SeatsAndOffer draft={draft} route={route} problems={problems} change={change} />
          </FormPart>
        </>
      )}
      {!termsStand && (
        <FormPart title={t('part.preferences')}>
          <PreferenceFields
            side="passenger"
            value={draft.preferences}
            error={problems.preferences}
            onChange={(preferences) => change({ preferences }, 'preferences')}
          />
        </FormPart>
      )}
      <FormPart title={t('visibility.label')}>
        <VisibilityFields draft={draft} error={problems.tagIds} onChange={(part) => change(part, 'tagIds')} />
      </FormPart>
      <FormPart title={t('part.more')}>
        <MoreFields
          draft={draft}
          preferred={preferred}
          problems={problems}
          noteHint={t('more.notePassenger')}
          onChange={(part) => change(part, 'flightNumber', 'note')}
        />
      </FormPart>
    </>
  );
}

/** How far the passenger walks to the car. */
function WalkField({ draft, problems, change }: Pick<RequestFormProps, 'draft' | 'problems' | 'change'>) {
  const { t } = useTranslation('planning');
  const format = useFormat();
  return (
    <Field label={t('walk.label')} hint={t('walk.hint')} error={problems.walkMetres}>
      <ChipChoice
        values={walkChoices}
        value={draft.walkMetres}
        nameOf={(metres) =>
          metres === 0
            ? t('walk.none')
            : t('walk.upTo', { time: format.duration((metres / walkingMetresPerMinute) * 60) })
        }
        onChange={(walkMetres) => change({ walkMetres }, 'walkMetres')}
      />
    </Field>
  );
}

function SeatsAndOffer({
  draft,
  route,
  problems,
  change,
}: Pick<RequestFormProps, 'draft' | 'route' | 'problems' | 'change'>) {
  const { t } = useTranslation('planning');
  return (
    <>
      <div id="field-seats">
        <SeatsField
          label={t('passenger.seats')}
          seats={draft.seats}
          error={problems.seats}
          onChange={(seats) => change({ seats }, 'seats')}
        />
      </div>
      <OfferField
        cents={draft.offerCents}
        quote={route.quote}
        error={problems.offerCents}
        onChange={(offerCents) => change({ offerCents }, 'offerCents')}
      />
    </>
  );
}
