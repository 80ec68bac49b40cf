import type { ComponentProps, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { departEarlyMs, gatherBeforeMs } from '#contract/rides/moves.ts';
import type { CarPosition } from '#contract/trips/endpoints.ts';
import type { Booking, Ride } from '#contract/rides/views.ts';
import { useNow } from '../../../core/clock.ts';
import { useFormat } from '../../../core/use-format.ts';
import { InterruptedShare } from '../interrupted/interrupted-share.tsx';
import { arrivalAt, arrivalAtVia } from './car.ts';
import { ContactButtons } from '../../../domain/person/contact-buttons.tsx';
import { useTimeLeft } from '../../../domain/ride/countdown.tsx';
import type { DriverStep } from './driver-step.ts';
import { DriverArrival } from '../moments/arrival.tsx';
import { LastSeen } from './last-seen.tsx';
import { NavigateButton } from './navigate-button.tsx';
import { PersonLine } from '../../../domain/person/person-line.tsx';
import { StepCard } from './step-card.tsx';
import { shortName } from '../../../domain/person/short-name.ts';
import { takeStep } from './step-queue.ts';
import { waitingTime } from './waiting-time.ts';

type Card = Omit<ComponentProps<typeof StepCard>, 'timeZone'>;
type OneOf<K extends DriverStep['kind']> = Extract<DriverStep, { kind: K }>;

/** What a driver reads about the next step: which stop, who, when, and the way there. */
export function DrivingCard({ ride, step, car }: { ride: Ride; step: DriverStep; car: CarPosition | null }) {
  const endCard = useEndCard(ride);
  const startCard = useStartCard(ride, car);
  const personCard = usePersonCard(ride, car);
  const placeCard = usePlaceCard(ride, car);
  const cardOf = (shown: Exclude<DriverStep, { kind: 'board' }>): Card => {
    switch (shown.kind) {
      case 'over':
        return endCard();
      case 'tooEarly':
      case 'reachStart':
      case 'depart':
        return startCard(shown);
      case 'reachPickup':
      case 'dropOff':
        return personCard(shown);
      case 'passStop':
      case 'arrive':
        return placeCard(shown);
    }
  };
  if (step.kind === 'board') return <BoardCard ride={ride} booking={step.booking} />;
  return (
    <div className="flex flex-col gap-3">
      <StepCard {...cardOf(step)} timeZone={ride.timeZone} />
      {step.kind !== 'over' && car && <LastSeen car={car} name={null} />}
    </div>
  );
}

/** Over: how it ended, and what is paid for a ride that ended on the way. */
function useEndCard(ride: Ride): () => Card {
  const { t } = useTranslation('rides');
  return () => {
    const ridden = ride.bookings.filter(({ broken }) => broken !== null);
    const why = ridden[0]?.broken?.kind;
    return {
      title:
        why === undefined
          ? t(`step.over.${ride.state === 'finished' ? 'finished' : 'other'}`)
          : t(`broken.title.${why}`),
      children: (
        <>
          {ride.state === 'finished' && why === undefined && <DriverArrival ride={ride} />}
          {ridden.map((booking) => (
            <div key={booking.id} className="flex flex-col gap-2">
              <PersonLine person={booking.passenger} />
              <InterruptedShare booking={booking} titled={false} />
            </div>
          ))}
        </>
      ),
    };
  };
}

/** Before the ride leaves: when the driver may begin, where to, and when to leave. */
function useStartCard(
  ride: Ride,
  car: CarPosition | null,
): (step: OneOf<'tooEarly' | 'reachStart' | 'depart'>) => Card {
  const { t } = useTranslation('rides');
  const format = useFormat();
  const before = (ms: number) => new Date(Date.parse(ride.departsAt) - ms).toISOString();
  const start = { place: ride.from, at: ride.departsAt };
  return (step) => {
    switch (step.kind) {
      case 'tooEarly':
        return {
          ...start,
          title: t('step.tooEarly'),
          text: t(ride.passengers.length === 0 ? 'step.nobodyYet' : 'step.tooEarlyText', {
            time: format.whenInSentence(before(gatherBeforeMs), ride.timeZone),
          }),
        };
      case 'reachStart':
        return {
          ...start,
          title: t('step.reachStart'),
          expectedAt: arrivalAt(car, 'start'),
          children: <WayThere to={ride.from} />,
        };
      case 'depart':
        return {
          ...start,
          title: t('step.depart'),
          text: step.allowed
            ? undefined
            : t('step.departFrom', { time: format.timeOfDay(before(departEarlyMs), ride.timeZone) }),
        };
    }
  };
}

/** On the way to a passenger, or to where one gets out. */
function usePersonCard(
  ride: Ride,
  car: CarPosition | null,
): (step: OneOf<'reachPickup' | 'dropOff'>) => Card {
  const { t } = useTranslation('rides');
  const format = useFormat();
  return ({ kind, booking }) => {
    const name = shortName(booking.passenger.name);
    const place = kind === 'reachPickup' ? booking.pickup : booking.dropoff;
    return {
      title: t(kind === 'reachPickup' ? 'step.reach' : 'step.dropOff', { name }),
      text:
        kind === 'dropOff' && booking.payment !== null && booking.fareCents > 0
          ? t('step.paidByCard', { name, amount: format.money(booking.fareCents) })
          : undefined,
      place,
      at: place.at,
      expectedAt: arrivalAt(car, kind === 'reachPickup' ? 'pickup' : 'dropoff', booking.id),
      children: (
        <WayThere to={place}>
          <ContactButtons
            name={booking.passenger.name}
            phone={booking.phone}
            email={booking.email}
            roomId={ride.roomId}
          />
        </WayThere>
      ),
    };
  };
}

/** On the way to a stop of the driver's own, or to the end. */
function usePlaceCard(ride: Ride, car: CarPosition | null): (step: OneOf<'passStop' | 'arrive'>) => Card {
  const { t } = useTranslation('rides');
  return (step) =>
    step.kind === 'passStop'
      ? {
          title: t('step.passStop'),
          text: t('step.passStopText'),
          place: step.stop.place,
          at: step.stop.at,
          expectedAt: arrivalAtVia(car, ride, step.stop),
          children: <WayThere to={step.stop.place} />,
        }
      : {
          title: t('step.arrive'),
          place: ride.to,
          at: ride.arrivesAt,
          expectedAt: arrivalAt(car, 'end'),
          children: <WayThere to={ride.to} />,
        };
}

function WayThere({
  to,
  children,
}: {
  to: ComponentProps<typeof NavigateButton>['to'];
  children?: ReactNode;
}) {
  return (
    <div className="flex flex-wrap gap-2">
      <NavigateButton to={to} />
      {children}
    </div>
  );
}

/** A passenger the driver waits for at the curb. */
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
