import { useTranslation } from 'react-i18next';
import type { Booking, Ride } from '#contract/rides/views.ts';
import { useMoneyTerms } from '../../core/money-terms.ts';
import { Button, TextButton } from '../../ui/button.tsx';
import { BoardingProof, useReadyToScan } from './boarding-proof.tsx';
import type { DriverStep } from './driver-step.ts';
import { NoShowButton } from './no-show-button.tsx';
import { ReachButton } from './reach-button.tsx';
import { shortName } from './short-name.ts';
import { takeStep, useSteps } from './step-queue.ts';

/** The driver's one button, and what may be done instead. */
export function DrivingAction({ ride, step }: { ride: Ride; step: DriverStep }) {
  const { t } = useTranslation('rides');
  useReadyToScan(ride);
  const { busy } = useSteps(ride.id);
  const about = { rideId: ride.id };
  switch (step.kind) {
    case 'reachStart':
      return (
        <ReachButton
          label={t('act.reachStart')}
          place={ride.from}
          busy={busy}
          disabled={!ride.may.includes('reach')}
          onReach={(told) => takeStep('reach', { id: ride.id, ...told }, about)}
        />
      );
    case 'depart':
      return (
        <Button
          full
          busy={busy}
          disabled={!step.allowed}
          onClick={() => takeStep('depart', { id: ride.id }, about)}
        >
          {t('act.depart')}
        </Button>
      );
    case 'reach':
      return (
        <ReachButton
          key={step.booking.id}
          label={t('act.reach')}
          place={step.booking.pickup}
          busy={busy}
          onReach={(told) =>
            takeStep(
              'reach',
              { id: ride.id, bookingId: step.booking.id, ...told },
              { ...about, person: shortName(step.booking.passenger.name) },
            )
          }
        />
      );
    case 'passStop':
      return (
        <Button
          full
          busy={busy}
          onClick={() => takeStep('passStop', { id: ride.id, stop: step.number }, about)}
        >
          {t('act.passStop')}
        </Button>
      );
    case 'board':
      return <BoardAction ride={ride} booking={step.booking} />;
    case 'dropOff':
      return (
        <Button
          full
          busy={busy}
          onClick={() =>
            takeStep(
              'arrive',
              { id: ride.id, bookingId: step.booking.id },
              { ...about, person: shortName(step.booking.passenger.name) },
            )
          }
        >
          {t('act.dropOff')}
        </Button>
      );
    case 'arrive':
      return (
        <Button
          full
          busy={busy}
          disabled={!ride.may.includes('arrive') && !ride.may.includes('endEmpty')}
          onClick={() => takeStep('arrive', { id: ride.id }, about)}
        >
          {t('act.arrive')}
        </Button>
      );
    case 'tooEarly':
    case 'over':
      return null;
  }
}

function BoardAction({ ride, booking }: { ride: Ride; booking: Booking }) {
  const { t } = useTranslation('rides');
  const { busy } = useSteps(booking.rideId);
  const terms = useMoneyTerms();
  const name = shortName(booking.passenger.name);
  const about = { rideId: booking.rideId, person: name };
  if (booking.may.includes('undoMeet')) {
    return (
      <div className="flex flex-col gap-2">
        <Button full disabled>
          {t('act.waitingFor', { name })}
        </Button>
        <BoardingProof ride={ride} booking={booking} />
        <TextButton
          tone="ink"
          disabled={busy}
          onClick={() => takeStep('pickUp', { bookingId: booking.id, undo: true }, about)}
        >
          {t('act.undo')}
        </TextButton>
      </div>
    );
  }
  return (
    <div className="flex flex-col gap-2">
      <Button full busy={busy} onClick={() => takeStep('pickUp', { bookingId: booking.id }, about)}>
        {t('act.pickedUp')}
      </Button>
      <BoardingProof ride={ride} booking={booking} />
      {booking.state === 'driver reached' && (
        <NoShowButton
          onConfirm={() => takeStep('noShow', { bookingId: booking.id }, about)}
          busy={busy}
          allowed={booking.may.includes('noShow')}
          from={booking.noShowFrom}
          isReady={booking.contacted}
          hint={
            booking.contacted
              ? booking.payment === null || booking.reachedBy === 'position'
                ? ''
                : t(booking.reachedBy === 'contradicted' ? 'act.noShowNoFee' : 'act.noShowWeak', { name })
              : t('act.noShowContact', { name })
          }
          words={{
            button: t('act.noShow', { name }),
            title: t('act.noShowTitle', { name }),
            text: [
              t('act.noShowText', { name }),
              ...(booking.payment === null || terms === undefined || booking.reachedBy === 'contradicted'
                ? []
                : [t('act.noShowFee', { name, percent: terms.cancellation.latePercent })]),
            ].join(' '),
            confirm: t('act.noShowConfirm'),
          }}
        />
      )}
    </div>
  );
}
