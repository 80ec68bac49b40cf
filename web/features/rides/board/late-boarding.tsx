import { useTranslation } from 'react-i18next';
import { endedRideStates } from '#contract/rides/moves.ts';
import type { Booking, Ride } from '#contract/rides/views.ts';
import { Button } from '../../../ui/button.tsx';
import { Card, Section } from '../../../ui/surfaces.tsx';
import { BoardingProof } from './boarding-proof.tsx';
import { PersonLine } from '../../../domain/person/person-line.tsx';
import { shortName } from '../../../domain/person/short-name.ts';
import { takeStep, useSteps } from '../live/step-queue.ts';

const mayBoard = ({ may }: Booking) => may.includes('meetLate') || may.includes('boardLate');
const waitsForOther = ({ state, metBy }: Booking, side: 'driver' | 'passenger') =>
  state === 'missed' && metBy === side;

/** For the driver under way: those who were missed, and may be on board after all until the ride ends. */
export function LateBoarding({ ride }: { ride: Ride }) {
  const { t } = useTranslation('rides');
  const { busy } = useSteps(ride.id);
  const missed = ride.bookings.filter((each) => mayBoard(each) || waitsForOther(each, 'driver'));
  const isOver = endedRideStates.includes(ride.state);
  if (isOver || missed.length === 0) return null;
  return (
    <Section title={t('late.title')}>
      {missed.map((booking) => {
        const name = shortName(booking.passenger.name);
        return (
          <Card key={booking.id} className="flex flex-col gap-3">
            <PersonLine
              person={booking.passenger}
              detail={
                booking.metBy === 'passenger'
                  ? t('late.passengerSays', { name })
                  : booking.metBy === 'driver'
                    ? t('late.waitsForPassenger', { name })
                    : t('late.text', { name })
              }
            />
            {mayBoard(booking) && (
              <Button
                small
                tone="quiet"
                busy={busy}
                onClick={() =>
                  takeStep('pickUp', { bookingId: booking.id }, { rideId: ride.id, person: name })
                }
              >
                {t('late.aboard', { name })}
              </Button>
            )}
            <BoardingProof ride={ride} booking={booking} />
          </Card>
        );
      })}
    </Section>
  );
}

/** The passenger's own way back: null where there is none. */
export function LateBoardingAction({ ride, booking }: { ride: Ride; booking: Booking }) {
  const { t } = useTranslation('rides');
  const { busy } = useSteps(ride.id);
  const name = shortName(ride.driver.name);
  if (waitsForOther(booking, 'passenger'))
    return (
      <Button full disabled>
        {t('act.waitingFor', { name })}
      </Button>
    );
  return (
    <Button
      full
      tone="brand"
      busy={busy}
      onClick={() => takeStep('confirmMeeting', { bookingId: booking.id }, { rideId: ride.id, person: name })}
    >
      {t('late.ownAboard')}
    </Button>
  );
}

/** Whether a missed passenger can still say, or has said, that they are on board after all. */
export const isLateBoarding = (ride: Ride, booking: Booking): boolean =>
  !endedRideStates.includes(ride.state) && (mayBoard(booking) || waitsForOther(booking, 'passenger'));
