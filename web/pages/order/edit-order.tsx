import { useNavigate } from '@tanstack/react-router';
import { SearchX } from 'lucide-react';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
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
import { problemsOf, requestOf, rideOf, type PlanField } from '../../features/planning/publish.ts';
import { EditedWay } from '../../features/planning/edited-way.tsx';
import { RequestForm } from '../../features/planning/request-form.tsx';
import { RideForm } from '../../features/planning/ride-form.tsx';
import { useCanBePaid } from '../../features/planning/use-can-be-paid.ts';
import { useProblems } from '../../features/planning/use-problems.ts';
import { useWay } from '../../features/planning/use-way.ts';
import { useOwnVehicles } from '../../features/planning/vehicle-field.tsx';
import { ViaFields } from '../../features/planning/via-fields.tsx';
import { OrderPending } from '../../features/rides/order-pending.tsx';
import { PlacesLines } from '../../features/rides/places-lines.tsx';
import { Button } from '../../ui/button.tsx';
import { Page as Frame } from '../../ui/page.tsx';
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
    <Frame title={t('edit.title')} back>
      {order !== undefined ? (
        <EmptyState icon={<SearchX />} title={t('edit.closedTitle')} text={t('edit.closedText')} />
      ) : (
        <OrderPending id={id} detail={detail} />
      )}
    </Frame>
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
  return { problems, show, forget, save, termsStand: order.edit === 'details' };
}

/** What closes when time, address or cost change, or why they cannot. */
function Consequences({ order }: { order: Order }) {
  const { t } = useTranslation(['planning', 'reasons']);
  if (order.edit === 'details') return <Banner kind="info">{t('reasons:order.matched')}</Banner>;
  const open = order.bookings.filter(({ expiresAt }) => expiresAt !== null).length;
  return open === 0 ? null : <Banner kind="warn">{t('planning:edit.asksClose', { count: open })}</Banner>;
}

function EditRide({ ride }: { ride: Ride }) {
  const { t } = useTranslation('planning');
  const { user } = useSession();
  const [draft, write] = useEditedRide();
  const { problems, show, forget, save, termsStand } = useSaving(ride);
  const choose = useChooseOwnPlace('editedRide');
  const way = useWay(draft.from, draft.to, { via: draft.via, local: draft.local });
  const own = useOwnVehicles(draft.vehicleId);
  const canBePaid = useCanBePaid();
  const change = (part: Partial<DriverDraft>, ...fields: PlanField[]) => {
    write(part);
    forget(...fields);
  };
  const zone = way.zone ?? ride.timeZone;
  const entered = rideOf(draft, own.chosen?.id ?? null, {
    zone,
    quote: way.quote,
    contactWith: user.preferContactWith,
    now: now(),
    canBePaid,
  });
  const order = termsStand ? withRideTerms(entered.order, ride) : entered.order;
  const submit = () => {
    const { local, costCents, ...rest } = entered.problems;
    if (way.refusal && !termsStand) show({ [way.refusal.field]: way.refusal.words });
    else if (!show(termsStand ? rest : { ...rest, ...(local && { local }), ...(costCents && { costCents }) }))
      save.run({ id: ride.id, order });
  };
  return (
    <Frame
      title={t('edit.title')}
      back
      action={
        <Button full busy={save.busy} disabled={own.isLoading} onClick={submit}>
          {t('edit.save')}
        </Button>
      }
    >
      <Consequences order={ride} />
      <RideForm
        draft={draft}
        way={way}
        own={own}
        preferred={user.preferContactWith}
        problems={problems}
        canBePaid={canBePaid}
        change={change}
        termsStand={termsStand}
        wayPart={
          termsStand ? (
            <PlacesLines
              from={ride.from}
              via={ride.via}
              to={ride.to}
              fromAt={ride.departsAt}
              timeZone={ride.timeZone}
              big
            />
          ) : (
            <EditedWay
              draft={draft}
              way={way}
              problems={problems}
              onChoose={choose}
              onSwap={() =>
                change({ from: draft.to, to: draft.from, via: draft.via.toReversed() }, 'from', 'to')
              }
            >
              <ViaFields
                via={draft.via}
                error={problems.via ?? (way.refusal?.field === 'via' ? way.refusal.words : undefined)}
                onChoose={(index) => choose(`via${index}`)}
                onChange={(via) => change({ via }, 'via')}
              />
            </EditedWay>
          )
        }
      />
    </Frame>
  );
}

function EditRequest({ request }: { request: Request }) {
  const { t } = useTranslation('planning');
  const { user } = useSession();
  const [draft, write] = useEditedRequest();
  const { problems, show, forget, save, termsStand } = useSaving(request);
  const choose = useChooseOwnPlace('editedRequest');
  const way = useWay(draft.from, draft.to, { local: draft.local });
  const change = (part: Partial<PassengerDraft>, ...fields: PlanField[]) => {
    write(part);
    forget(...fields);
  };
  const zone = way.zone ?? request.timeZone;
  const entered = requestOf(draft, {
    zone,
    quote: way.quote,
    contactWith: user.preferContactWith,
    now: now(),
  });
  const order = termsStand ? withRequestTerms(entered.order, request) : entered.order;
  const submit = () => {
    const { local, offerCents, ...rest } = entered.problems;
    if (way.refusal && !termsStand) show({ [way.refusal.field]: way.refusal.words });
    else if (
      !show(termsStand ? rest : { ...rest, ...(local && { local }), ...(offerCents && { offerCents }) })
    )
      save.run({ id: request.id, order });
  };
  return (
    <Frame
      title={t('edit.requestTitle')}
      back
      action={
        <Button full busy={save.busy} onClick={submit}>
          {t('edit.save')}
        </Button>
      }
    >
      <Consequences order={request} />
      <RequestForm
        draft={draft}
        way={way}
        preferred={user.preferContactWith}
        problems={problems}
        change={change}
        termsStand={termsStand}
        wayPart={
          termsStand ? (
            <PlacesLines from={request.from} to={request.to} timeZone={request.timeZone} big />
          ) : (
            <EditedWay
              draft={draft}
              way={way}
              problems={problems}
              onChoose={choose}
              onSwap={() => change({ from: draft.to, to: draft.from }, 'from', 'to')}
            />
          )
        }
      />
    </Frame>
  );
}
