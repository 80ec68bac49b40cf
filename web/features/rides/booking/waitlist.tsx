import { Link } from '@tanstack/react-router';
import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { listOrders, orderDetail, waitlist } from '#contract/rides/endpoints.ts';
import { openRequestStates, type StateLabel } from '#contract/rides/moves.ts';
import type { OrderSummary, Ride } from '#contract/rides/views.ts';
import { useCall } from '../../../core/queries.ts';
import { PartView, QueryView } from '../../../core/query-view.tsx';
import { Button, IconButton, TextButton } from '../../../ui/button.tsx';
import { Card, Section } from '../../../ui/surfaces.tsx';
import { toast } from '../../../ui/toasts.tsx';
import { PersonLine } from '../../../domain/person/person-line.tsx';
import { PlacesLines } from '../../../domain/place/places-lines.tsx';
import { shortName } from '../../../domain/person/short-name.ts';
import { useRideAction } from '../../../domain/ride/use-ride-action.ts';

/** Who waits for a seat of my ride, first come first; I may take a passenger off. */
export function Waitlist({ ride }: { ride: Ride }) {
  const { t } = useTranslation('rides');
  const removing = useRideAction(waitlist);
  const remove = async (requestId: string, name: string) => {
    const done = await removing.ask({ rideId: ride.id, requestId, wait: false });
    if (done !== null) toast.done(t('waitlist.removed', { name }));
  };
  return (
    <Section title={t('waitlist.title')}>
      <Card className="flex flex-col gap-4">
        {ride.waitlist.waiting.map(({ requestId, passenger, seats, place }) => (
          <div key={requestId} className="flex items-center gap-2">
            <div className="min-w-0 flex-1">
              <PersonLine
                person={passenger}
                size={36}
                detail={t('waitlist.number', { place, seats: t('seats', { count: seats }) })}
              />
            </div>
            <IconButton
              label={t('waitlist.remove', { name: shortName(passenger.name) })}
              icon={<X aria-hidden />}
              onClick={() => void remove(requestId, shortName(passenger.name))}
            />
          </div>
        ))}
      </Card>
    </Section>
  );
}

/** A ride for whose seat my request waits. */
export function WaitingCard({
  rideId,
  requestId,
  place,
}: {
  rideId: string;
  requestId: string;
  place: number;
}) {
  const { t } = useTranslation('rides');
  const ride = useCall(orderDetail, { id: rideId }, { quiet: true });
  return (
    <QueryView query={ride} failed={t('detail.failed')} skeleton={{ rows: 1, kind: 'cards' }}>
      {({ order }) =>
        order.role === 'driver' ? <WaitedFor ride={order} requestId={requestId} place={place} /> : null
      }
    </QueryView>
  );
}

function WaitedFor({ ride, requestId, place }: { ride: Ride; requestId: string; place: number }) {
  const { t } = useTranslation('rides');
  return (
    <Card className="flex flex-col gap-3">
      <PersonLine person={ride.driver} detail={t('waitlist.place', { place })} />
      <PlacesLines
        from={ride.from}
        to={ride.to}
        fromAt={ride.departsAt}
        toAt={ride.arrivesAt}
        timeZone={ride.timeZone}
      />
      <p className="text-small text-ink-2">{t('waitlist.hint')}</p>
      <div className="flex flex-wrap items-center gap-x-4">
        <Link
          to="/pages/order/detail"
          search={{ id: ride.id }}
          className="inline-flex min-h-11 items-center font-semibold text-brand-ink underline-offset-4 hover:underline"
        >
          {t('detail.openRide')}
        </Link>
        <Leave rideId={ride.id} requestId={requestId} />
      </div>
    </Card>
  );
}

function Leave({ rideId, requestId }: { rideId: string; requestId: string }) {
  const { t } = useTranslation('rides');
  const leaving = useRideAction(waitlist, () => toast.done(t('waitlist.left')));
  return (
    <TextButton
      tone="danger"
      disabled={leaving.busy}
      onClick={() => leaving.run({ rideId, requestId, wait: false })}
    >
      {t('waitlist.leave')}
    </TextButton>
  );
}

const dayMs = 86_400_000;
const openLabels: readonly StateLabel[] = openRequestStates;

/** My request that could take this ride: open, and around its time. */
const wantedBy = (requests: readonly OrderSummary[], ride: Ride) =>
  requests.find(
    ({ label, startsAt, startsBy }) =>
      openLabels.includes(label) &&
      startsBy !== null &&
      Date.parse(startsAt) - dayMs < Date.parse(ride.departsAt) &&
      Date.parse(ride.departsAt) < Date.parse(startsBy) + dayMs,
  );

/** What a passenger can do about a full ride: wait for a seat with their request, or plan one first. */
export function WaitForSeat({ ride, withoutRequest }: { ride: Ride; withoutRequest: ReactNode }) {
  const { t } = useTranslation('rides');
  const requests = useCall(listOrders, { role: 'passenger' }, { quiet: true });
  const own = ride.waitlist.waiting[0];
  if (own !== undefined)
    return (
      <div className="flex flex-wrap items-center justify-between gap-x-4">
        <p className="text-body font-semibold">{t('waitlist.place', { place: own.place })}</p>
        <Leave rideId={ride.id} requestId={own.requestId} />
      </div>
    );
  return (
    <PartView query={requests}>
      {({ orders }) => <Join ride={ride} request={wantedBy(orders, ride)} withoutRequest={withoutRequest} />}
    </PartView>
  );
}

/** Waiting with the request that could take the ride, or planning one first. */
function Join({
  ride,
  request,
  withoutRequest,
}: {
  ride: Ride;
  request: OrderSummary | undefined;
  withoutRequest: ReactNode;
}) {
  const { t } = useTranslation('rides');
  const joining = useRideAction(waitlist, () => toast.done(t('waitlist.joined')));
  if (request === undefined)
    return (
      <div className="flex flex-col gap-2">
        <p className="text-small text-ink-2">{t('waitlist.plan')}</p>
        {withoutRequest}
      </div>
    );
  return (
    <div className="flex flex-col gap-2">
      <p className="text-small text-ink-2">
        {ride.waitlist.count > 0 && `${t('waitlist.ahead', { count: ride.waitlist.count })} · `}
        {t('waitlist.hint')}
      </p>
      <Button
        full
        busy={joining.busy}
        onClick={() => joining.run({ rideId: ride.id, requestId: request.id })}
      >
        {t('waitlist.join')}
      </Button>
    </div>
  );
}
