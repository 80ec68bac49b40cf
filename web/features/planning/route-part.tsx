import { useTranslation } from 'react-i18next';
import { useFormat } from '../../core/use-format.ts';
import { PlacesLines } from '../../domain/place/places-lines.tsx';
import { Field } from '../../ui/field.tsx';
import { Select } from '../../ui/inputs.tsx';
import { ChipChoice } from './chip-choice.tsx';
import { detourMinutes } from './detours.ts';
import { FormPart } from './form-part.tsx';
import { RouteFacts } from './route-facts.tsx';
import { RouteFields } from './route-fields.tsx';
import { RouteMap } from './route-map.tsx';
import { usePlanContext } from './use-plan.ts';
import { usePlannedRouteOnMap } from './use-planned-route.ts';
import { ViaFields } from './via-fields.tsx';
import { useWalkLimit } from './use-walk-limit.ts';
import { walkChoices } from './walks.ts';

/** The two ends and what lies between them; how far the driver drives around, or the passenger walks. */
export function RoutePart() {
  const { t } = useTranslation('planning');
  const { kind, order } = usePlanContext();
  const isAgreed = order?.edit === 'details';
  return (
    <FormPart title={t('part.way')}>
      {isAgreed ? <AgreedRoute /> : <RouteChoice />}
      {kind.side === 'driver' ? <DetourField /> : !isAgreed && <WalkField />}
    </FormPart>
  );
}

/** What is asked of the route for the people on board. */
export function ProposedRoutePart() {
  const { t } = useTranslation('rides');
  return (
    <FormPart>
      <RouteChoice />
      <p className="text-small text-ink-2">{t('change.wayHint')}</p>
    </FormPart>
  );
}

/** The two ends on the map and as fields; the stops of a driver turn around with them. */
function RouteChoice() {
  const { kind, values, route, errorOf, set, change, choose } = usePlanContext();
  const { from, to, via } = values;
  const shown = usePlannedRouteOnMap(from, to, route.quote, via);
  // What the form found, else why the roads refuse it.
  const problem = (field: 'from' | 'via' | 'to') =>
    errorOf(field) ?? (route.refusal?.field === field ? route.refusal.words : undefined);
  return (
    <>
      <RouteMap shown={shown} />
      <RouteFields
        from={from}
        to={to}
        errors={{ from: problem('from'), to: problem('to') }}
        onChoose={choose}
        onSwap={() => change({ from: to, to: from, via: via.toReversed() })}
      />
      {kind.side === 'driver' && (
        <ViaFields
          via={via}
          error={problem('via')}
          onChoose={(index) => choose(`via${index}`)}
          onChange={(stops) => set('via', stops)}
        />
      )}
      <RouteFacts route={route} />
    </>
  );
}

/** What is agreed with the people who ride along is shown and not asked. */
function AgreedRoute() {
  const { order } = usePlanContext();
  if (order === null) return null;
  const { from, to, timeZone } = order;
  return order.role === 'driver' ? (
    <PlacesLines from={from} via={order.via} to={to} fromAt={order.departsAt} timeZone={timeZone} big />
  ) : (
    <PlacesLines from={from} to={to} timeZone={timeZone} big />
  );
}

/** How far the driver drives around for a passenger. */
function DetourField() {
  const { t } = useTranslation('planning');
  const format = useFormat();
  const { values, route, errorOf, set } = usePlanContext();
  return (
    <div id="field-maxDetourMinutes">
      <Field label={t('detour.label')} hint={t('detour.hint')} error={errorOf('maxDetourMinutes')}>
        <Select
          value={values.maxDetourMinutes ?? ''}
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
          onChange={({ target: { value } }) => set('maxDetourMinutes', value === '' ? null : Number(value))}
        />
      </Field>
    </div>
  );
}

/** How far the passenger walks to the car. */
function WalkField() {
  const { t } = useTranslation('planning');
  const walkLimit = useWalkLimit();
  const { values, errorOf, set } = usePlanContext();
  return (
    <div id="field-walkMetres">
      <Field label={t('walk.label')} hint={t('walk.hint')} error={errorOf('walkMetres')}>
        <ChipChoice
          values={walkChoices}
          value={values.walkMetres}
          nameOf={walkLimit}
          onChange={(metres) => set('walkMetres', metres)}
        />
      </Field>
    </div>
  );
}
