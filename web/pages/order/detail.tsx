import { orderDetail } from '#contract/rides/endpoints.ts';
import type { Order, Ride } from '#contract/rides/views.ts';
import { usePageSearch, usePageTitle } from '../../core/navigation.ts';
import { useCall } from '../../core/queries.ts';
import { PushOffer } from '../../features/notifications/push-offer.tsx';
import { PayAction } from '../../features/payments/pay-action.tsx';
import { TestMoney } from '../../features/payments/test-money.tsx';
import { usePayReturn } from '../../features/payments/use-pay-return.ts';
import { CalendarButton } from '../../features/rides/detail/calendar-button.tsx';
import { InterruptRide } from '../../features/rides/interrupted/interrupt-ride.tsx';
import { CancelOrder } from '../../features/rides/detail/cancel-order.tsx';
import { ChangeSection } from '../../features/rides/change/change-card.tsx';
import { startEditing, startProposing } from '../../features/planning/edited-draft.ts';
import { EditLink } from '../../features/rides/detail/edit-link.tsx';
import { FactsSection } from '../../features/rides/detail/facts-section.tsx';
import { SeatConfirmed } from '../../features/rides/moments/seat-confirmed.tsx';
import { nextStep, type Pay } from '../../features/rides/detail/next-step.tsx';
import { People } from '../../features/rides/detail/order-body.tsx';
import { seatedBooking } from '#contract/rides/next-action.ts';
import { OrderHead } from '../../features/rides/detail/order-head.tsx';
import { OrderPending } from '../../features/rides/detail/order-pending.tsx';
import { PairedOrder } from '../../features/rides/detail/paired-order.tsx';
import { PriceSection } from '../../features/rides/detail/price-section.tsx';
import { UnclearRide } from '../../features/rides/detail/unclear-ride.tsx';
import { ProposeLink } from '../../features/rides/change/propose-link.tsx';
import { rideTransition } from '../../domain/ride/card-transition.ts';
import { RoutePanel, useDrawing } from '../../domain/ride/route-on-map.tsx';
import { PartOfRecurring } from '../../features/rides/recurring/recurring-cards.tsx';
import { PrivateLink } from '../../features/rides/links/private-link.tsx';
import { ShareButton } from '../../features/rides/links/share-button.tsx';
import { Timeline } from '../../features/rides/detail/timeline.tsx';
import { Settled } from '../../core/settled.tsx';
import { isProcessing, processingEveryMs } from '../../domain/money/booking-payment.tsx';
import { useBackdrop } from '../../map/backdrop.tsx';
import { PageLayout } from '../../ui/page-layout.tsx';
import { hasAsked } from './has-asked.ts';
import { prefillFrom } from './prefill.ts';
import { Rebooking, useLostRequest } from './rebooking.tsx';

/** Ride Detail: one ride or request, mine or another's, with the one next action. */
export function Page() {
  const title = usePageTitle();
  const { id = '' } = usePageSearch('/pages/order/detail');
  const detail = useCall(
    orderDetail,
    { id },
    {
      enabled: id !== '',
      quiet: true,
      refetchInterval: (shown) => shown?.order.bookings.some(isProcessing) === true && processingEveryMs,
    },
  );
  const order = detail.data?.order;
  // Where another way is proposed for the ride I am in, that is what the map shows.
  const ridden = order?.role === 'passenger' && order.mine ? order.ride : null;
  const isRerouted = ridden?.change?.way != null;
  const changed = useCall(orderDetail, { id: ridden?.id ?? '' }, { enabled: isRerouted, quiet: true });
  const drawing = useDrawing(isRerouted ? (changed.data ?? detail.data) : detail.data);
  const desktop = useBackdrop(drawing);
  usePayReturn(id, order?.bookings, order?.timeZone ?? 'UTC');

  if (!order) {
    return (
      <PageLayout title={title} back transition={rideTransition}>
        <OrderPending id={id} detail={detail} />
      </PageLayout>
    );
  }
  // Those who ask come first, whatever else the page tells.
  const isAsked = order.nextAction?.kind === 'answerRequest';
  const changing = order.role === 'driver' ? order : ridden;
  return (
    <PageLayout
      title={title}
      back
      tools={<ShareButton order={order} />}
      action={nextStep(order, prefillFrom, pay)}
      transition={rideTransition}
    >
      <Settled>
        <SeatConfirmed order={order} />
        {isPaid(order) && <TestMoney />}
        {order.role === 'passenger' ? <Rebooking request={order} /> : <LetDown ride={order} />}
        <UnclearRide order={order} />
        {changing && <ChangeSection ride={changing} />}
        {isAsked && <People order={order} />}
        <OrderHead order={order} />
        {order.mine && hasAsked(order) && <PushOffer moment="seat" />}
        <PrivateLink order={order} />
        {detail.data?.paired && <PairedOrder order={order} paired={detail.data.paired} />}
        {detail.data?.series && <PartOfRecurring recurringId={detail.data.series.id} />}
        {!isAsked && <People order={order} />}
        {!desktop && !isRerouted && <RoutePanel drawing={drawing} />}
        <PriceSection order={order} />
        <FactsSection order={order} />
        <EditLink order={order} onStart={startEditing} />
        <CalendarButton order={order} />
        {order.role === 'driver' && <ProposeLink ride={order} onStart={startProposing} />}
        <Timeline order={order} />
        <div className="flex justify-center">
          <Cancel order={order} />
        </div>
      </Settled>
    </PageLayout>
  );
}

/** The same for a passenger who views the ride that they have lost. */
function LetDown({ ride }: { ride: Ride }) {
  const isOver = ride.mine || seatedBooking(ride.bookings) !== undefined;
  const lost = useLostRequest(isOver ? undefined : ride.bookings.at(-1));
  return lost === null ? null : <Rebooking request={lost} />;
}

const pay: Pay = (booking, timeZone) => <PayAction booking={booking} timeZone={timeZone} />;

/** Whether money is, or may be, part of this order. */
const isPaid = (order: Order): boolean =>
  (order.role === 'driver' ? order.costCents > 0 : order.offerCents !== null && order.offerCents > 0) ||
  order.bookings.some(({ fareCents }) => fareCents > 0);

function Cancel({ order }: { order: Order }) {
  if (order.mine) {
    if (order.role === 'driver' && order.may.includes('breakOff')) return <InterruptRide ride={order} />;
    const may: readonly string[] = order.may;
    return may.includes('cancel') ? (
      <CancelOrder
        id={order.id}
        what={order.role === 'driver' ? 'ride' : seatedBooking(order.bookings) ? 'ownPlace' : 'request'}
        isPaid={isPaid(order)}
      />
    ) : null;
  }
  const place = order.bookings.find(({ may }) => may.includes('cancel'));
  return place && order.role === 'driver' ? (
    <CancelOrder id={place.requestId} what="ownPlace" isPaid={isPaid(order)} />
  ) : null;
}
