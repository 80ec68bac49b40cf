import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../core/use-format.ts';
import { RadioList } from '../../ui/choices.tsx';
import { Field } from '../../ui/field.tsx';
import { Select } from '../../ui/inputs.tsx';
import type { DriverDraft } from './draft.ts';
import { FlexChoice } from './flex-choice.tsx';
import { FormPart } from './form-part.tsx';
import { MoreFields } from './more-fields.tsx';
import { PriceFields } from './price-fields.tsx';
import { PreferenceFields } from './preference-fields.tsx';
import type { PlanField, Problems } from './publish.ts';
import { SeatsField } from './seats-field.tsx';
import type { PlannedRoute } from './use-planned-route.ts';
import { VehicleField, type useOwnVehicles } from './vehicle-field.tsx';
import { VisibilityFields } from './visibility-fields.tsx';
import { WhenField } from './when-field.tsx';

const flexChoices = [0, 15, 30, 60];
/** Detours a driver can choose. */
export const detourMinutes = [0, 5, 10, 15, 20, 30, 45];

interface RideFormProps {
  draft: DriverDraft;
  route: PlannedRoute;
  /** The two ends and what lies between them. */
  wayPart: ReactNode;
  own: ReturnType<typeof useOwnVehicles>;
  preferred: NonNullable<DriverDraft['contactWith']>;
  problems: Problems;
  canBePaid: boolean | null;
  /** Changes the draft and takes the problems of these fields away. */
  change: (part: Partial<DriverDraft>, ...fields: PlanField[]) => void;
  /** The way back and the days of a week, while a plan is new. */
  repeatPart?: ReactNode;
  /** Time, address and cost are agreed with a passenger and not shown as fields. */
  termsStand?: boolean;
}

/** Everything a driver decides about a ride but its two ends. */
export function RideForm({
  draft,
  route,
  wayPart,
  own,
  preferred,
  problems,
  canBePaid,
  change,
  repeatPart,
  termsStand = false,
}: RideFormProps) {
  const { t } = useTranslation('planning');
  return (
    <>
      <FormPart title={t('part.way')}>
        {wayPart}
        <DetourField draft={draft} route={route} problems={problems} change={change} />
      </FormPart>
      {!termsStand && (
        <FormPart title={t('part.when')}>
          <DepartureFields draft={draft} route={route} problems={problems} change={change} />
        </FormPart>
      )}
      {repeatPart}
      <FormPart title={t('part.car')}>
        <CarFields draft={draft} own={own} problems={problems} change={change} />
      </FormPart>
      {!termsStand && (
        <FormPart title={t('part.price')}>
          <PriceFields
            draft={draft}
            quote={route.quote}
            canBePaid={canBePaid}
            error={problems.costCents}
            onChange={(part) => change(part, 'costCents', 'vehicleId')}
          />
        </FormPart>
      )}
      <FormPart title={t('joining.label')}>
        <JoiningChoice draft={draft} change={change} />
      </FormPart>
      {!termsStand && (
        <FormPart title={t('part.preferences')}>
          <PreferenceFields
            side="driver"
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
          noteHint={t('more.noteDriver')}
          onChange={(part) => change(part, 'flightNumber', 'note')}
        />
      </FormPart>
    </>
  );
}

type PartProps = Pick<RideFormProps, 'draft' | 'route' | 'problems' | 'change'>;

/** How far the driver goes out of the way for a passenger. */
function DetourField({ draft, route, problems, change }: PartProps) {
  const { t } = useTranslation('planning');
  const format = useFormat();
  return (
    <div id="field-maxDetourMinutes">
      <Field label={t('detour.label')} hint={t('detour.hint')} error={problems.maxDetourMinutes}>
        <Select
          value={draft.maxDetourMinutes ?? ''}
          options={[
            {
              value: '',
              label: route.quote
                ? t('detour.advised', { time: format.duration(route.quote.defaultMaxDetourSeconds) })
                : t('detour.default'),
            },
            ...detourMinutes.map((value) => ({
              value: String(value),
              label: value === 0 ? t('detour.none') : format.duration(value * 60),
            })),
          ]}
          onChange={({ target: { value } }) =>
            change({ maxDetourMinutes: value === '' ? null : Number(value) }, 'maxDetourMinutes')
          }
        />
      </Field>
    </div>
  );
}

/** When the ride leaves, and how much later it may. */
function DepartureFields({ draft, route, problems, change }: PartProps) {
  const { t } = useTranslation('planning');
  const format = useFormat();
  return (
    <>
      <div id="field-local">
        <WhenField
          label={t('driver.when')}
          local={draft.local}
          zone={route.zone}
          error={problems.local}
          onChange={(local) => change({ local }, 'local')}
        />
      </div>
      <FlexChoice
        label={t('flex.driver')}
        hint={t('flex.driverHint')}
        choices={flexChoices}
        minutes={draft.flexMinutes}
        nameOf={(value) => (value === 0 ? t('flex.none') : format.duration(value * 60))}
        onChange={(flexMinutes) => change({ flexMinutes })}
      />
    </>
  );
}

/** The car, and how many seats of it are offered. */
function CarFields({
  draft,
  own,
  problems,
  change,
}: Pick<RideFormProps, 'draft' | 'own' | 'problems' | 'change'>) {
  const { t } = useTranslation('planning');
  return (
    <>
      <VehicleField
        own={own}
        error={problems.vehicleId}
        onChange={(vehicleId) => change({ vehicleId }, 'vehicleId', 'seats')}
      />
      <div id="field-seats">
        <SeatsField
          label={t('driver.seats')}
          seats={draft.seats}
          error={problems.seats}
          onChange={(seats) => change({ seats }, 'seats')}
        />
      </div>
    </>
  );
}

/** Whether passengers join at once or ask first. */
function JoiningChoice({ draft, change }: Pick<RideFormProps, 'draft' | 'change'>) {
  const { t } = useTranslation('planning');
  return (
    <RadioList
      label={t('joining.label')}
      value={draft.instant ? 'instant' : 'request'}
      options={(['request', 'instant'] as const).map((value) => ({
        value,
        label: t(`joining.${value}.label`),
        detail: t(`joining.${value}.detail`),
      }))}
      onChange={(value) => change({ instant: value === 'instant' })}
    />
  );
}
