import { useTranslation } from 'react-i18next';
import type { CarPosition } from '#contract/trips/endpoints.ts';
import type { Booking, Ride } from '#contract/rides/views.ts';
import { useNow } from '../../core/clock.ts';
import { useFormat } from '../../core/use-format.ts';
import { BrokenShare } from './broken-share.tsx';
import { arrivalAt, arrivalAtVia } from './car.ts';
import { ContactButtons } from './contact-buttons.tsx';
import { useTimeLeft } from './countdown.tsx';
import type { DriverStep } from './driver-step.ts';
import { NavigateButton } from './navigate-button.tsx';
import { PersonLine } from './person-line.tsx';
import { StepCard } from './step-card.tsx';
import { shortName } from './short-name.ts';
import { takeStep } from './step-queue.ts';
import { waitingTime } from './waiting-time.ts';

/** How long before the agreed time a driver may leave although somebody else is still to be picked up on the way. */
const departEarlyMs = 5 * 60_000;

/** What a driver reads about the next step: which stop, who, when, and the way there. */
export function DrivingCard({ ride, step, car }: { ride: Ride; step: DriverStep; car: CarPosition | null }) {
  const { t } = useTranslation('rides');
  const format = useFormat();
  const zone = ride.timeZone;
  switch (step.kind) {
    case 'over': {
      const ridden = ride.bookings.filter(({ broken }) => broken !== null);
      const why = ridden[0]?.broken?.kind;
      const title =
        why === undefined
          ? t(`step.over.${ride.state === 'finished' ? 'finished' : 'other'}`)
          : t(`broken.title.${why}`);
      return (
        <StepCard title={title} timeZone={zone}>
          {ridden.map((booking) => (
            <div key={booking.id} className="flex flex-col gap-2">
              <PersonLine person={booking.passenger} />
              <BrokenShare booking={booking} titled={false} />
            </div>
          ))}
        </StepCard>
      );
    }
    case 'tooEarly':
      return (
        <StepCard
          title={t('step.tooEarly')}
          text={t(ride.passengers.length === 0 ? 'step.nobodyYet' : 'step.tooEarlyText', {
            time: format.when(new Date(Date.parse(ride.departsAt) - 3_600_000).toISOString(), zone),
          })}
          place={ride.from}
          at={ride.departsAt}
          timeZone={zone}
        />
      );
    case 'reachStart':
      return (
        <StepCard
          title={t('step.reachStart')}
          place={ride.from}
          at={ride.departsAt}
          expectedAt={arrivalAt(car, 'start')}
          timeZone={zone}
        >
          <div className="flex flex-wrap gap-2">
            <NavigateButton to={ride.from} />
          </div>
        </StepCard>
      );
    case 'depart':
      return (
        <StepCard
          title={t('step.depart')}
          text={
            step.allowed
              ? undefined
              : t('step.departFrom', {
                  time: format.timeOfDay(
                    new Date(Date.parse(ride.departsAt) - departEarlyMs).toISOString(),
                    zone,
                  ),
                })
          }
          place={ride.from}
          at={ride.departsAt}
          timeZone={zone}
        />
      );
    case 'board':
      return <BoardCard ride={ride} booking={step.booking} />;
    case 'reach':
    case 'dropOff': {
      const { booking } = step;
      const place = step.kind === 'reach' ? booking.pickup : booking.dropoff;
      return (
        <StepCard
          title={t(step.kind === 'reach' ? 'step.reach' : 'step.dropOff', {
            name: shortName(booking.passenger.name),
          })}
          text={
            step.kind === 'dropOff' && booking.payment !== null && booking.fareCents > 0
              ? t('step.paidByCard', {
                  name: shortName(booking.passenger.name),
                  amount: format.money(booking.fareCents),
                })
              : undefined
          }
          place={place}
          at={place.at}
          expectedAt={arrivalAt(car, step.kind === 'reach' ? 'pickup' : 'dropoff', booking.id)}
          timeZone={zone}
        >
          <div className="flex flex-wrap gap-2">
            <NavigateButton to={place} />
            <ContactButtons
              name={booking.passenger.name}
              phone={booking.phone}
              email={booking.email}
              roomId={ride.roomId}
            />
          </div>
        </StepCard>
      );
    }
    case 'passStop':
      return (
        <StepCard
          title={t('step.passStop')}
          text={t('step.passStopText')}
          place={step.stop.place}
          at={step.stop.at}
          expectedAt={arrivalAtVia(car, ride, step.stop)}
          timeZone={zone}
        >
          <div className="flex flex-wrap gap-2">
            <NavigateButton to={step.stop.place} />
          </div>
        </StepCard>
      );
    case 'arrive':
      return (
        <StepCard
          title={t('step.arrive')}
          place={ride.to}
          at={ride.arrivesAt}
          expectedAt={arrivalAt(car, 'end')}
          timeZone={zone}
        >
          <div className="flex flex-wrap gap-2">
            <NavigateButton to={ride.to} />
          </div>
        </StepCard>
      );
  }
}

/** A passenger the driver waits for at the kerb. */
function BoardCard({ ride, booking }: { ride: Ride; booking: Booking }) {
  const { t } = useTranslation('rides');
  const name = shortName(booking.passenger.name);
  const left = useTimeLeft(booking.noShowFrom);
  const wait = waitingTime(booking.noShowFrom, useNow(1000));
  const text =
    booking.metBy === 'driver'
      ? t('step.waitsForPassenger', { name })
      : booking.metBy === 'passenger'
        ? t('step.passengerSaysMet', { name })
        : wait === 'unknown'
          ? t('step.waitUnknown', { name })
          : wait === 'running'
            ? t('step.waitFor', { name, time: left ?? '0:00' })
            : t('step.mayMiss', { name });
  return (
    <StepCard
      title={t(
        booking.metBy === null
          ? 'step.board'
          : booking.metBy === 'driver'
            ? 'step.confirm'
            : 'step.isOnBoard',
        { name },
      )}
      text={<span className="figures">{text}</span>}
      place={booking.pickup}
      at={booking.pickup.at}
      timeZone={ride.timeZone}
    >
      <ContactButtons
        name={name}
        phone={booking.phone}
        email={booking.email}
        roomId={ride.roomId}
        {...(booking.state === 'driver reached' && !booking.contacted
          ? {
              onContact: (kind) =>
                takeStep('noteContact', { bookingId: booking.id, kind }, { rideId: ride.id, person: name }),
            }
          : {})}
      />
    </StepCard>
  );
}
