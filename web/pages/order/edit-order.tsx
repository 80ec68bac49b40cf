import { useNavigate } from '@tanstack/react-router';
import { SearchX } from 'lucide-react';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import type { InputOf } from '#contract/define.ts';
import { orderDetail, updateOrder } from '#contract/rides/endpoints.ts';
import type { Order, Request, Ride } from '#contract/rides/views.ts';
import { now } from '../../core/clock.ts';
import { useAction, useCall } from '../../core/queries.ts';
import { useSession } from '../../core/session.ts';
import {
  dropEdited,
  useEditedRequest,
  useEditedRide,
  type DriverDraft,
  type PassengerDraft,
} from '../../features/planning/draft.ts';
import { startEditing, withRequestTerms, withRideTerms } from '../../features/planning/edited-draft.ts';
import {
  problemsOf,
  requestOf,
  rideOf,
  type PlanField,
  type Problems,
} from '../../features/planning/publish.ts';
import { EditedRoute } from '../../features/planning/edited-route.tsx';
import { RequestForm } from '../../features/planning/request-form.tsx';
import { RideForm } from '../../features/planning/ride-form.tsx';
import { RideRoute } from '../../features/planning/ride-route.tsx';
import { useCanBePaid } from '../../features/planning/use-can-be-paid.ts';
import { useProblems } from '../../features/planning/use-problems.ts';
import { usePlannedRoute, type PlannedRoute } from '../../features/planning/use-planned-route.ts';
import { useOwnVehicles } from '../../features/planning/vehicle-field.tsx';
import { OrderPending } from '../../features/rides/detail/order-pending.tsx';
import { PlacesLines } from '../../domain/place/places-lines.tsx';
import { Button } from '../../ui/button.tsx';
import { PageLayout } from '../../ui/page-layout.tsx';
import { Banner, EmptyState } from '../../ui/surfaces.tsx';
import { toast } from '../../ui/toasts.tsx';
import { useChooseOwnPlace } from '../address/use-choose-place.ts';

/** "Plan your ride" over an order that stands: the same form, filled in with it. */
export function EditOrder({ id }: { id: string }) {
  const { t } = useTranslation('planning');
  const detail = useCall(orderDetail, { id }, { quiet: true });
  const order = detail.data?.order;
  const [ride] = useEditedRide();
  const [request] = useEditedRequest();
  const edited = order?.role === 'driver' ? ride.of : request.of;
  // Opened by its address, or after another order was edited.
  useEffect(() => {
    if (order !== undefined && edited !== order.id) startEditing(order);
  }, [order, edited]);

  if (order !== undefined && order.edit !== 'none') {
    if (edited !== order.id) return null;
    return order.role === 'driver' ? <EditRide ride={order} /> : <EditRequest request={order} />;
  }
  return (
    <PageLayout title={t('edit.title')} back>
      {order !== undefined ? (
        <EmptyState icon={<SearchX />} title={t('edit.closedTitle')} text={t('edit.closedText')} />
      ) : (
        <OrderPending id={id} detail={detail} />
      )}
    </PageLayout>
  );
}

/** Saving, and where refusals are shown. */
function useSaving(order: Order) {
  const { t } = useTranslation('planning');
  const navigate = useNavigate();
  const { problems, show, forget } = useProblems();
  const save = useAction(updateOrder, {
    invalidates: ['/order/', '/event/', '/alert/'],
    onDone: ({ order: { id } }) => {
      toast.done(t('edit.saved'));
      void navigate({ to: '/pages/order/detail', search: { id }, replace: true }).then(dropEdited);
    },
    onRefused: (refused) => show(problemsOf(refused)),
  });
  const termsStand = order.edit === 'details';
  /** Saves it, or shows what is wrong. Terms that are agreed are no fields, so nothing is wrong with them. */
  const submit = (entered: InputOf<typeof updateOrder>['order'], found: Problems, route: PlannedRoute) => {
    const { local: _local, costCents: _costCents, offerCents: _offerCents, ...details } = found;
    if (route.refusal && !termsStand) show({ [route.refusal.field]: route.refusal.words });
    else if (!show(termsStand ? details : found)) save.run({ id: order.id, order: entered });
  };
  return { problems, forget, busy: save.busy, termsStand, submit };
}

/** What closes when time, address or cost change, or why they cannot. */
function Consequences({ order }: { order: Order }) {
  const { t } = useTranslation(['planning', 'reasons']);
  if (order.edit === 'details') return <Banner kind="info">{t('reasons:order.matched')}</Banner>;
  const open = order.bookings.filter(({ expiresAt }) => expiresAt !== null).length;
  return open === 0 ? null : <Banner kind="warn">{t('planning:edit.asksClose', { count: open })}</Banner>;
}

/** What is agreed with those who ride along is shown and not asked. */
const AgreedWay = ({ ride }: { ride: Ride }) => (
  <PlacesLines
    from={ride.from}
    via={ride.via}
    to={ride.to}
    fromAt={ride.departsAt}
    timeZone={ride.timeZone}
    big
  />
);

function EditRide({ ride }: { ride: Ride }) {
  const { t } = useTranslation('planning');
  const { user } = useSession();
  const [draft, write] = useEditedRide();
  const { problems, forget, busy, termsStand, submit } = useSaving(ride);
  const choose = useChooseOwnPlace('editedRide');
  const route = usePlannedRoute(draft.from, draft.to, { via: draft.via, local: draft.local });
  const own = useOwnVehicles(draft.vehicleId);
  const canBePaid = useCanBePaid();
  const change = (part: Partial<DriverDraft>, ...fields: PlanField[]) => {
    write(part);
    forget(...fields);
  };
  const zone = route.zone ?? ride.timeZone;
  const entered = rideOf(draft, own.chosen?.id ?? null, {
    zone,
    quote: route.quote,
    contactWith: user.preferContactWith,
    now: now(),
    canBePaid,
  });
  const order = termsStand ? withRideTerms(entered.order, ride) : entered.order;
  return (
    <PageLayout
      title={t('edit.title')}
      back
      action={
        <Button
          full
          busy={busy}
          disabled={own.isLoading}
          onClick={() => submit(order, entered.problems, route)}
        >
          {t('edit.save')}
        </Button>
      }
    >
      <Consequences order={ride} />
      <RideForm
        draft={draft}
        route={route}
        own={own}
        preferred={user.preferContactWith}
        problems={problems}
        canBePaid={canBePaid}
        change={change}
        termsStand={termsStand}
        wayPart={
          termsStand ? (
            <AgreedWay ride={ride} />
          ) : (
            <RideRoute
              draft={draft}
              route={route}
              problems={problems}
              onChoose={choose}
              onChooseStop={(index) => choose(`via${index}`)}
              change={change}
            />
          )
        }
      />
    </PageLayout>
  );
}

function EditRequest({ request }: { request: Request }) {
  const { t } = useTranslation('planning');
  const { user } = useSession();
  const [draft, write] = useEditedRequest();
  const { problems, forget, busy, termsStand, submit } = useSaving(request);
  const choose = useChooseOwnPlace('editedRequest');
  const route = usePlannedRoute(draft.from, draft.to, { local: draft.local });
  const change = (part: Partial<PassengerDraft>, ...fields: PlanField[]) => {
    write(part);
    forget(...fields);
  };
  const zone = route.zone ?? request.timeZone;
  const entered = requestOf(draft, {
    zone,
    quote: route.quote,
    contactWith: user.preferContactWith,
    now: now(),
  });
  const order = termsStand ? withRequestTerms(entered.order, request) : entered.order;
  return (
    <PageLayout
      title={t('edit.requestTitle')}
      back
      action={
        <Button full busy={busy} onClick={() => submit(order, entered.problems, route)}>
          {t('edit.save')}
        </Button>
      }
    >
      <Consequences order={request} />
      <RequestForm
        draft={draft}
        route={route}
        preferred={user.preferContactWith}
        problems={problems}
        change={change}
        termsStand={termsStand}
        wayPart={
          termsStand ? (
            <PlacesLines from={request.from} to={request.to} timeZone={request.timeZone} big />
          ) : (
            <EditedRoute
              draft={draft}
              route={route}
              problems={problems}
              onChoose={choose}
              onSwap={() => change({ from: draft.to, to: draft.from }, 'from', 'to')}
            />
          )
        }
      />
    </PageLayout>
  );
}
