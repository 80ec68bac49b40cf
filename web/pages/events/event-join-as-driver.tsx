import { useTranslation } from 'react-i18next';
import { joinAsDriver, type EventDetail } from '#contract/events/endpoints.ts';
import { driveBack, driveThere } from '#contract/events/times.ts';
import { useAction } from '../../core/queries.ts';
import { useSession } from '../../core/use-session.ts';
import type { Span } from '../../features/events/direction-time.tsx';
import { WithEvent } from '../../features/events/with-event.tsx';
import { useDriverDraft } from '../../features/planning/draft.ts';
import { PriceFields } from '../../features/planning/price-fields.tsx';
import { pricingOf } from '../../features/planning/pricing.ts';
import { SeatsField } from '../../features/planning/seats-field.tsx';
import { useCanBePaid } from '../../features/planning/use-can-be-paid.ts';
import { useOwnVehicles, VehicleField } from '../../features/planning/vehicle-field.tsx';
import { Switch } from '../../ui/switch.tsx';
import { toast } from '../../ui/toasts.tsx';
import { PlanPlaceDialog, useChoosePlace } from '../address/place-dialog.tsx';
import { JoinEvent, useJoined, useJoining } from './join-event.tsx';

/** Join as a driver: a ride to an event that arrives before the start, one home from its end, or both. */
export function Page() {
  return <WithEvent>{(event) => <Drive event={event} />}</WithEvent>;
}

function Drive({ event }: { event: EventDetail }) {
  const { t } = useTranslation('events');
  const { user } = useSession();
  const [draft, change] = useDriverDraft();
  const choose = useChoosePlace();
  const own = useOwnVehicles(draft.vehicleId);
  const joined = useJoined(event);
  const joining = useJoining(event, draft.from, { there: driveThere, back: driveBack });
  const { way, problems, spanOf, show, forget } = joining;
  const join = useAction(joinAsDriver, {
    invalidates: ['/order/', '/event/'],
    onDone: ({ orders }) => {
      forget();
      toast.done(t('join.driverDone', { count: orders.length }));
      joined();
    },
    onRefused: show,
  });
  const canBePaid = useCanBePaid();
  const { kind, costCents } = pricingOf(draft, way.quote, canBePaid);
  return (
    <JoinEvent
      event={event}
      joinAs="driver"
      from={draft.from}
      joining={joining}
      busy={join.busy}
      onChooseFrom={() => choose('from')}
      onJoin={() =>
        draft.from !== null &&
        join.run({
          id: event.id,
          token: event.token,
          from: draft.from,
          seats: draft.seats,
          contactWith: user.preferContactWith,
          vehicleId: own.chosen?.id ?? null,
          priceKind: kind === 'perCar' ? 'perCar' : 'perPerson',
          costCents,
          instant: draft.instant,
          there: departureIn(spanOf('there')),
          back: departureIn(spanOf('back')),
        })
      }
    >
      <VehicleField own={own} error={problems['vehicleId']} onChange={(vehicleId) => change({ vehicleId })} />
      <SeatsField
        label={t('seats')}
        seats={draft.seats}
        error={problems['seats']}
        onChange={(seats) => change({ seats })}
      />
      <PriceFields
        draft={draft}
        quote={way.quote}
        canBePaid={canBePaid}
        error={problems['costCents']}
        onChange={change}
      />
      <Switch
        label={t('join.instant')}
        detail={t('join.instantDetail')}
        checked={draft.instant}
        onChange={(instant) => change({ instant })}
      />
      <PlanPlaceDialog plan={draft} change={change} />
    </JoinEvent>
  );
}

/** A departure at the span's beginning, flexible until its end. */
const departureIn = (span: Span | null) =>
  span && {
    departsAt: new Date(span.earliestMs).toISOString(),
    flexMinutes: Math.round((span.latestMs - span.earliestMs) / 60_000),
  };
