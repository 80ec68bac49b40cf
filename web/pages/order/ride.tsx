import { Link, Navigate } from '@tanstack/react-router';
import { useEffect, useRef, type ComponentProps, type RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import { orderDetail } from '#contract/rides/endpoints.ts';
import { endedEarlyStates } from '#contract/rides/moves.ts';
import type { Booking, Request, Ride } from '#contract/rides/views.ts';
import { now } from '../../core/clock.ts';
import { usePageSearch, usePageTitle } from '../../core/navigation.ts';
import { useCall } from '../../core/queries.ts';
import { LocateButton } from '../../map/locate-button.tsx';
import { MapView } from '../../map/map-view.tsx';
import { usePosition } from '../../map/position.ts';
import { BoardingPass } from '../../features/rides/board/boarding-pass.tsx';
import { InterruptRide } from '../../features/rides/interrupted/interrupt-ride.tsx';
import { isUnderWay, useCar, usePinsWithCar } from '../../features/rides/live/car.ts';
import { DrivingAction } from '../../features/rides/live/driving-action.tsx';
import { DrivingCard } from '../../features/rides/live/driving-card.tsx';
import { driverStep } from '../../features/rides/live/driver-step.ts';
import { LateBoarding } from '../../features/rides/board/late-boarding.tsx';
import { seatedBooking } from '#contract/rides/next-action.ts';
import { OrderPending } from '../../features/rides/detail/order-pending.tsx';
import { PassengerAction, PassengerCard } from '../../features/rides/live/passenger-card.tsx';
import { type Drawing, useDrawing } from '../../domain/ride/route-on-map.tsx';
import { shortName } from '../../domain/person/short-name.ts';
import { StateChip } from '../../domain/ride/state-chip.tsx';
import { withPending } from '../../features/rides/live/pending-view.ts';
import { StepNews } from '../../features/rides/live/step-news.tsx';
import { useSteps } from '../../features/rides/live/step-queue.ts';
import { StopList } from '../../features/rides/live/stop-list.tsx';
import { TellPosition } from '../../features/rides/live/tell-position.tsx';
import { useVehicleWords } from '../../domain/ride/vehicle-words.ts';
import { Emergency } from '../../features/safety/emergency.tsx';
import { ShareTrip } from '../../features/safety/share-trip.tsx';
import { MapScreen } from '../../map/map-screen.tsx';
import { buttonVariants } from '../../ui/button.tsx';
import { PageLayout } from '../../ui/page-layout.tsx';
import { Sheet } from '../../ui/sheet.tsx';
import { Rebooking, useLostRequest } from './rebooking.tsx';

/** Live updates arrive by themselves; this finds what was missed while the connection was down. */
const lookAgainMs = 15_000;

/** The ride under way, for its driver and for a passenger. */
export function Page() {
  const title = usePageTitle();
  const { id = '' } = usePageSearch('/pages/order/ride');
  const detail = useCall(
    orderDetail,
    { id },
    { enabled: id !== '', quiet: true, refetchInterval: lookAgainMs },
  );
  const drawing = useDrawing(detail.data);
  const order = detail.data?.order;
  const own =
    order?.role === 'driver' && !order.mine
      ? (seatedBooking(order.bookings) ?? order.bookings.at(-1))
      : undefined;
  const lost = useLostRequest(own);

  if (order?.role === 'driver') {
    const instead = lost === null ? undefined : seatedBooking(lost.bookings);
    if (instead !== undefined && instead.rideId !== order.id)
      return <Navigate to="/pages/order/ride" search={{ id: instead.rideId }} replace />;
    if (order.mine || own)
      return <UnderWay key={lost?.id} ride={order} booking={own} lost={lost} drawing={drawing} />;
  }
  const booking = order?.role === 'passenger' ? seatedBooking(order.bookings) : undefined;
  if (booking) return <Navigate to="/pages/order/ride" search={{ id: booking.rideId }} replace />;
  // What was read before I got my seat says nothing about today: only an answer of now leads away from here.
  if (order && !detail.isFetching) return <Navigate to="/pages/order/detail" search={{ id }} replace />;
  return (
    <PageLayout title={title} back>
      <OrderPending id={id} detail={detail} kind="rows" />
    </PageLayout>
  );
}

function UnderWay({
  ride: settled,
  booking: settledBooking,
  lost,
  drawing,
}: {
  ride: Ride;
  /** My own place in another person's ride. */
  booking: Booking | undefined;
  /** My request, where that place is lost. */
  lost: Request | null;
  drawing: Drawing;
}) {
  const { t } = useTranslation(['rides', 'common']);
  const title = usePageTitle();
  const position = usePosition();
  // What was done without a connection counts here until the server has heard of it.
  const { waiting } = useSteps(settled.id);
  const ride = waiting.length === 0 ? settled : withPending(settled, waiting, now());
  const booking = ride.bookings.find(({ id }) => id === settledBooking?.id);
  const car = useCar(settled);
  const pins = usePinsWithCar(drawing.pins, car, shortName(ride.driver.name));
  const step = driverStep(ride);
  const story = useNewsShown(
    ride.mine || booking === undefined
      ? `${step.kind} ${'booking' in step ? step.booking.id : ''}`
      : `${ride.state} ${booking.state} ${booking.metBy}`,
  );
  const label = ride.mine || booking === undefined ? ride.label : booking.state;
  return (
    <MapScreen
      title={title}
      back
      tools={<LocateButton position={position} floating />}
      map={<MapView label={t('common:map.label')} {...drawing} pins={pins} own={position.at} />}
      sheet={
        <Sheet
          label={t('rides:underWay.sheet')}
          words={{ bigger: t('common:sheet.bigger'), smaller: t('common:sheet.smaller') }}
          initial={lost === null || lost.state === 'missed' ? 'half' : 'full'}
          header={<TripHead ride={ride} isAboard={booking !== undefined} label={label} />}
          action={
            ride.mine ? (
              <DriverActions ride={ride} step={step} />
            ) : booking ? (
              <PassengerAction ride={ride} booking={booking} />
            ) : undefined
          }
        >
          <div ref={story} className="flex flex-col gap-6">
            <TripStory ride={ride} booking={booking} lost={lost} step={step} car={car} />
            {settled.may.includes('breakOff') && <InterruptRide ride={settled} />}
          </div>
        </Sheet>
      }
    />
  );
}

/** The state of the ride, the way to its details, and what helps in trouble. */
function TripHead({
  ride,
  isAboard,
  label,
}: {
  ride: Ride;
  /** As its passenger. */
  isAboard: boolean;
  label: ComponentProps<typeof StateChip>['label'];
}) {
  const { t } = useTranslation('rides');
  const vehicleWords = useVehicleWords();
  return (
    <>
      <div className="flex items-center justify-between gap-3">
        <StateChip label={label} />
        <Link
          to="/pages/order/detail"
          search={{ id: ride.id }}
          className="inline-flex min-h-11 items-center font-semibold text-brand-ink underline-offset-4 hover:underline"
        >
          {t('underWay.detail')}
        </Link>
      </div>
      {/* Never scrolled away: who needs one of them needs it now. */}
      {isUnderWay(ride) && (ride.mine || isAboard) && (
        <div className="flex flex-wrap items-center justify-between gap-x-3">
          <ShareTrip rideId={ride.id} />
          <Emergency ride={ride} vehicle={ride.vehicle === null ? '' : vehicleWords(ride.vehicle)} />
        </div>
      )}
    </>
  );
}

/** What is new, the next step, and the stops. */
function TripStory({
  ride,
  booking,
  lost,
  step,
  car,
}: {
  ride: Ride;
  booking: Booking | undefined;
  lost: Request | null;
  step: ReturnType<typeof driverStep>;
  car: ReturnType<typeof useCar>;
}) {
  return (
    <>
      <StepNews ride={ride} />
      {ride.mine || !booking ? (
        <DrivingCard ride={ride} step={step} car={car} />
      ) : lost === null ? (
        <PassengerCard ride={ride} booking={booking} car={car} />
      ) : (
        <Rebooking request={lost} otherwise={<PassengerCard ride={ride} booking={booking} car={car} />}>
          <BoardingPass ride={ride} booking={booking} />
        </Rebooking>
      )}
      {ride.mine && <LateBoarding ride={ride} />}
      {(ride.mine || (booking && !endedEarlyStates.includes(booking.state))) && (
        <StopList ride={ride} car={car} />
      )}
      <TellPosition ride={ride} />
    </>
  );
}

/**
 * Scrolls to the top, where a change appears, for a person who has scrolled on. `situation` says when it
 * changes.
 */
function useNewsShown(situation: string): RefObject<HTMLDivElement | null> {
  const story = useRef<HTMLDivElement>(null);
  const shown = useRef(situation);
  useEffect(() => {
    if (situation !== shown.current) story.current?.scrollIntoView({ block: 'start' });
    shown.current = situation;
  }, [situation]);
  return story;
}

function DriverActions({ ride, step }: { ride: Ride; step: ReturnType<typeof driverStep> }) {
  const { t } = useTranslation('rides');
  const due = ride.bookings.find(({ reviewDue }) => reviewDue);
  if (step.kind !== 'over' || !due) return <DrivingAction ride={ride} step={step} />;
  return (
    <Link
      to="/pages/order/review"
      search={{ bookingId: due.id, id: due.rideId }}
      className={buttonVariants({ full: true })}
    >
      {t('next.review', { name: shortName(due.passenger.name) })}
    </Link>
  );
}
