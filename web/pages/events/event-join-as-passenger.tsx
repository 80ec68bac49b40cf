import { useTranslation } from 'react-i18next';
import { joinAsPassenger, type EventDetail } from '#contract/events/endpoints.ts';
import { rideBack, rideThere } from '#contract/events/times.ts';
import { useAction } from '../../core/queries.ts';
import { useSession } from '../../core/use-session.ts';
import { WithEvent } from '../../features/events/with-event.tsx';
import { usePassengerDraft } from '../../features/planning/draft.ts';
import { OfferField } from '../../features/planning/offer-field.tsx';
import { SeatsField } from '../../features/planning/seats-field.tsx';
import { toast } from '../../ui/toasts.tsx';
import { PlanPlaceDialog, useChoosePlace } from '../address/place-dialog.tsx';
import { JoinEvent, useJoined, useJoining } from './join-event.tsx';

/** Join as a passenger: a seat to an event in time for its start, one home from its end, or both. */
export function Page() {
  return <WithEvent>{(event) => <Ride event={event} />}</WithEvent>;
}

function Ride({ event }: { event: EventDetail }) {
  const { t } = useTranslation('events');
  const { user } = useSession();
  const [draft, change] = usePassengerDraft();
  const choose = useChoosePlace();
  const joined = useJoined(event);
  const joining = useJoining(event, draft.from, { there: rideThere, back: rideBack });
  const { way, problems, spanOf, show, forget } = joining;
  const join = useAction(joinAsPassenger, {
    invalidates: ['/order/', '/event/'],
    onDone: ({ orders }) => {
      forget();
      toast.done(t('join.passengerDone', { count: orders.length }));
      joined();
    },
    onRefused: show,
  });
  const windowOf = (which: 'there' | 'back') => {
    const span = spanOf(which);
    if (span === null) return null;
    return {
      earliestAt: new Date(span.earliestMs).toISOString(),
      latestAt: new Date(span.latestMs).toISOString(),
    };
  };
  return (
    <JoinEvent
      event={event}
      joinAs="passenger"
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
          offerCents: draft.offerCents,
          walkMetres: draft.walkMetres,
          there: windowOf('there'),
          back: windowOf('back'),
        })
      }
    >
      <SeatsField
        label={t('seatsForMe')}
        seats={draft.seats}
        error={problems['seats']}
        onChange={(seats) => change({ seats })}
      />
      <OfferField
        cents={draft.offerCents}
        quote={way.quote}
        error={problems['offerCents']}
        onChange={(offerCents) => change({ offerCents })}
      />
      <PlanPlaceDialog plan={draft} change={change} />
    </JoinEvent>
  );
}
