import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { CarPosition } from '#contract/trips/endpoints.ts';
import { endedBookingStates, endedEarlyStates } from '#contract/rides/moves.ts';
import type { Booking, Ride } from '#contract/rides/views.ts';
import { useNow } from '../../../core/clock.ts';
import { useFormat } from '../../../core/use-format.ts';
import { Button, buttonVariants, TextButton } from '../../../ui/button.tsx';
import { BoardingPass } from '../board/boarding-pass.tsx';
import { arrivalAt } from './car.ts';
import { ContactButtons } from '../../../domain/person/contact-buttons.tsx';
import { isLateBoarding, LateBoardingAction } from '../board/late-boarding.tsx';
import { LastSeen } from './last-seen.tsx';
import { RiderArrival } from '../moments/arrival.tsx';
import { NoShowButton } from '../board/no-show-button.tsx';
import { StepCard } from './step-card.tsx';
import { shortName } from '../../../domain/person/short-name.ts';
import { takeStep, useSteps } from './step-queue.ts';
import { TellRiderPosition } from './tell-position.tsx';
import { useVehicleWords } from '../../../domain/ride/vehicle-words.ts';

/** How long after the agreed time a passenger waits before they may report the driver. */
const driverLateMs = 15 * 60_000;

/** For a passenger on the day: where the driver is, where and when to wait, and a description of the car. */
export function PassengerCard({
  ride,
  booking,
  car,
}: {
  ride: Ride;
  booking: Booking;
  car: CarPosition | null;
}) {
  const { t } = useTranslation('rides');
  const format = useFormat();
  const vehicleWords = useVehicleWords();
  const name = shortName(ride.driver.name);
  const onBoard = booking.state === 'picked';
  const over = endedBookingStates.includes(booking.state);
  const { title, text } = useSituation(ride, booking);
  const place = onBoard ? booking.dropoff : booking.pickup;
  return (
    <StepCard
      title={title}
      text={text}
      {...(over ? {} : { place, at: place.at })}
      expectedAt={
        onBoard
          ? arrivalAt(car, 'dropoff', booking.id)
          : booking.state === 'waiting'
            ? arrivalAt(car, 'pickup', booking.id)
            : undefined
      }
      timeZone={ride.timeZone}
    >
      {booking.state === 'finished' && <RiderArrival booking={booking} />}
      {!over && car && <LastSeen car={car} name={name} />}
      {!over && ride.vehicle && (
        <p className="flex flex-wrap items-center gap-2 text-body">
          {vehicleWords(ride.vehicle)}
          {ride.vehicle.plate !== '' && (
            <span className="figures rounded-small border-2 border-ink px-2 py-0.5 text-lead font-semibold">
              {ride.vehicle.plate}
            </span>
          )}
        </p>
      )}
      <BoardingPass ride={ride} booking={booking} />
      <TellRiderPosition booking={booking} />
      {!over && !onBoard && booking.pickup.walkMetres >= 30 && (
        <p className="text-small text-ink-2">
          {t('step.walk', { distance: format.distance(booking.pickup.walkMetres) })}
        </p>
      )}
      {!over && (
        <ContactButtons
          name={name}
          phone={ride.phone}
          email={ride.email}
          roomId={ride.roomId}
          prefers={ride.contactWith}
        />
      )}
    </StepCard>
  );
}

function useSituation(ride: Ride, booking: Booking): { title: string; text: string | undefined } {
  const { t } = useTranslation('rides');
  const format = useFormat();
  const name = shortName(ride.driver.name);
  const reportFrom = Date.parse(booking.pickup.at) + driverLateMs;
  const now = useNow(15_000);
  const plain = (title: string, text?: string) => ({ title, text });
  switch (booking.state) {
    case 'joined':
      return plain(t('step.agreed'), t('step.agreedText'));
    case 'waiting': {
      const late =
        now > Date.parse(booking.pickup.at) && now < reportFrom
          ? t('step.reportFrom', {
              name,
              time: format.timeOfDay(new Date(reportFrom).toISOString(), ride.timeZone),
            })
          : undefined;
      if (ride.state === 'waiting') return plain(t('step.notDeparted', { name }), late);
      if (ride.state === 'driver reached') return plain(t('step.atStart', { name }), late);
      return plain(t('step.onTheWay', { name }), late);
    }
    case 'driver reached':
      return plain(t('step.here', { name }), t('step.hereText'));
    case 'picking':
      return booking.metBy === 'passenger'
        ? plain(t('step.confirm', { name }), t('step.waitsForDriver', { name }))
        : plain(t('step.confirmOwn'), t('step.driverSaysMet', { name }));
    case 'picked':
      return plain(
        t('step.onBoard'),
        booking.payment !== null && booking.fareCents > 0
          ? t('step.takenAfter', { amount: format.money(booking.fareCents) })
          : t('step.onBoardText'),
      );
    case 'finished':
      return plain(t('step.over.finished'), t('step.thanks', { name }));
    case 'missed':
      return !isLateBoarding(ride, booking)
        ? plain(t('step.missed'))
        : booking.metBy === null
          ? plain(t('step.missed'), t('step.missedText', { name }))
          : booking.metBy === 'driver'
            ? plain(t('step.confirmOwn'), t('step.driverSaysMet', { name }))
            : plain(t('step.confirm', { name }), t('step.waitsForDriver', { name }));
    case 'requesting':
    case 'inviting':
      return plain(t('step.unanswered'));
    default:
      return booking.broken === null
        ? plain(t('step.over.other'))
        : plain(t('step.over.broken'), booking.fareCents > 0 ? t('step.brokenText') : undefined);
  }
}

/** Says that the driver did not come; also of one who says that they are there. */
function ReportButton({ ride, booking, full = false }: { ride: Ride; booking: Booking; full?: boolean }) {
  const { t } = useTranslation('rides');
  const { busy } = useSteps(ride.id);
  const name = shortName(ride.driver.name);
  return (
    <NoShowButton
      onConfirm={() => takeStep('reportDriver', { bookingId: booking.id }, { rideId: ride.id, person: name })}
      busy={busy}
      allowed
      from={null}
      full={full}
      words={{
        button: t('act.report'),
        title: t('act.reportTitle', { name }),
        text: t('act.reportText', { name }),
        confirm: t('act.reportConfirm'),
      }}
    />
  );
}

/** The passenger's one button, and what may be done instead. */
export function PassengerAction({ ride, booking }: { ride: Ride; booking: Booking }) {
  const { t } = useTranslation('rides');
  const name = shortName(ride.driver.name);
  const { busy } = useSteps(ride.id);
  const about = { rideId: ride.id, person: name };
  const may = (move: Booking['may'][number]) => booking.may.includes(move);
  const undo = () => takeStep('confirmMeeting', { bookingId: booking.id, undo: true }, about);
  if (isLateBoarding(ride, booking)) return <LateBoardingAction ride={ride} booking={booking} />;
  if (may('meet') || may('board')) {
    return (
      <div className="flex flex-col gap-1">
        <Button
          full
          tone="brand"
          busy={busy}
          onClick={() => takeStep('confirmMeeting', { bookingId: booking.id }, about)}
        >
          {t('act.met')}
        </Button>
        {may('undoMeet') && (
          <TextButton tone="ink" disabled={busy} onClick={undo}>
            {t('act.notMet')}
          </TextButton>
        )}
        {may('reportDriver') && <ReportButton ride={ride} booking={booking} />}
      </div>
    );
  }
  if (may('undoMeet')) {
    return (
      <div className="flex flex-col gap-1">
        <Button full disabled>
          {t('act.waitingFor', { name })}
        </Button>
        <TextButton tone="ink" disabled={busy} onClick={undo}>
          {t('act.undo')}
        </TextButton>
        {may('reportDriver') && <ReportButton ride={ride} booking={booking} />}
      </div>
    );
  }
  if (may('reportDriver')) {
    return <ReportButton ride={ride} booking={booking} full />;
  }
  if (booking.reviewDue) {
    return (
      <Link
        to="/pages/order/review"
        search={{ bookingId: booking.id, id: booking.rideId }}
        className={buttonVariants({ full: true })}
      >
        {t('next.review', { name })}
      </Link>
    );
  }
  if (endedEarlyStates.includes(booking.state)) {
    return (
      <Link
        to="/pages/order/detail"
        search={{ id: booking.requestId }}
        className={buttonVariants({ full: true, tone: 'quiet' })}
      >
        {t('next.ownRequest')}
      </Link>
    );
  }
  return null;
}
