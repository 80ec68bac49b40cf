import { useTranslation } from 'react-i18next';
import { noteLength } from '#contract/units.ts';
import { RadioList } from '../../ui/choices.tsx';
import { Field } from '../../ui/field.tsx';
import { MoneyField, TextArea } from '../../ui/inputs.tsx';
import { FormPart } from './form-part.tsx';
import { OfferField } from './offer-field.tsx';
import { usePriceAdvice } from './use-price-advice.ts';
import { PriceFields } from './price-fields.tsx';
import { SeatsField } from './seats-field.tsx';
import { usePlanContext } from './use-plan.ts';
import { VehicleField } from './vehicle-field.tsx';
import { VisibilityFields } from './visibility-fields.tsx';
import { WhenField } from './when-field.tsx';

/** The car, and how many seats of it are offered. */
export function CarPart() {
  const { t } = useTranslation('planning');
  const { own, errorOf, set } = usePlanContext();
  return (
    <FormPart title={t('part.car')}>
      <VehicleField own={own} error={errorOf('vehicleId')} onChange={(id) => set('vehicleId', id)} />
      <PlanSeats label={t('driver.seats')} />
    </FormPart>
  );
}

/** What a seat or the car costs. */
export function PricePart() {
  const { t } = useTranslation('planning');
  const { values, route, canBePaid, errorOf, change } = usePlanContext();
  return (
    <FormPart title={t('part.price')}>
      <PriceFields
        draft={values}
        quote={route.quote}
        canBePaid={canBePaid}
        error={errorOf('costCents')}
        onChange={change}
      />
    </FormPart>
  );
}

/** How many seats a passenger needs, and what they offer for each. */
export function SeatsAndOfferPart() {
  const { t } = useTranslation('planning');
  const { values, route, errorOf, set } = usePlanContext();
  return (
    <FormPart title={t('part.seatsAndPrice')}>
      <PlanSeats label={t('passenger.seats')} />
      <OfferField
        cents={values.offerCents}
        quote={route.quote}
        error={errorOf('offerCents')}
        onChange={(cents) => set('offerCents', cents)}
      />
    </FormPart>
  );
}

function PlanSeats({ label }: { label: string }) {
  const { values, errorOf, set } = usePlanContext();
  return (
    <div id="field-seats">
      <SeatsField
        label={label}
        seats={values.seats}
        error={errorOf('seats')}
        onChange={(seats) => set('seats', seats)}
      />
    </div>
  );
}

/** Whether passengers join at once or ask first. */
export function JoiningPart() {
  const { t } = useTranslation('planning');
  const { values, set } = usePlanContext();
  return (
    <FormPart title={t('joining.label')}>
      <RadioList
        label={t('joining.label')}
        value={values.instant ? 'instant' : 'request'}
        options={(['request', 'instant'] as const).map((value) => ({
          value,
          label: t(`joining.${value}.label`),
          detail: t(`joining.${value}.detail`),
        }))}
        onChange={(value) => set('instant', value === 'instant')}
      />
    </FormPart>
  );
}

export function VisibilityPart() {
  const { t } = useTranslation('planning');
  const { values, errorOf, change } = usePlanContext();
  return (
    <FormPart title={t('visibility.label')}>
      <VisibilityFields draft={values} error={errorOf('tagIds')} onChange={change} />
    </FormPart>
  );
}

/** Another time and price for the people on board, and why. */
export function ProposedTermsPart() {
  const { t } = useTranslation(['rides', 'common']);
  const { order, values, zone, errorOf, set } = usePlanContext();
  const isPriced = order?.role === 'driver' && (order.costCents > 0 || order.vehicle !== null);
  return (
    <FormPart>
      <div id="field-local">
        <WhenField
          label={t('rides:change.time')}
          local={values.local}
          zone={zone}
          error={errorOf('local')}
          onChange={(local) => set('local', local)}
        />
      </div>
      {isPriced && <ProposedPrice perCar={order.priceKind === 'perCar'} />}
      <Field label={t('rides:change.note')} note={t('common:optional')}>
        <TextArea
          rows={2}
          maxLength={noteLength}
          value={values.note}
          onChange={({ target }) => set('note', target.value)}
        />
      </Field>
    </FormPart>
  );
}

/** What a seat or the car is to cost, with what is advised for the new route. */
function ProposedPrice({ perCar }: { perCar: boolean }) {
  const { t } = useTranslation('rides');
  const { values, route, errorOf, set } = usePlanContext();
  const advice = usePriceAdvice('driver', route.quote);
  return (
    <div id="field-costCents">
      <Field
        label={t(perCar ? 'price.perCarLine' : 'price.perPersonLine')}
        hint={
          <>
            {advice !== '' && <span className="block text-ink-2">{advice}</span>}
            <span className="block">{t('change.priceHint')}</span>
          </>
        }
        error={errorOf('costCents')}
      >
        <MoneyField cents={values.costCents} onChange={(cents) => set('costCents', cents ?? 0)} />
      </Field>
    </div>
  );
}
