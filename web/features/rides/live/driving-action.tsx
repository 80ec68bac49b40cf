import { useTranslation } from 'react-i18next';
import type { Booking, Ride } from '#contract/rides/views.ts';
import { useMoneyTerms } from '../../../domain/money/money-terms.ts';
import { Button, TextButton } from '../../../ui/button.tsx';
import { BoardingProof, useReadyToScan } from '../board/boarding-proof.tsx';
import type { DriverStep } from './driver-step.ts';
import { NoShowButton } from '../board/no-show-button.tsx';
import { ReachButton } from '../board/reach-button.tsx';
import { shortName } from '../../../domain/person/short-name.ts';
import { takeStep, useSteps } from './step-queue.ts';

const isBoardedAtStart = ({ bookings }: Ride): boolean =>
  bookings.some(({ state, boardsAtStart }) => state === 'waiting' && boardsAtStart);

interface OneTap {
  label: string;
  isAllowed: boolean;
  take: () => void;
}

/** The steps that one tap on a plain button takes. */
function useOneTap(ride: Ride): (step: DriverStep) => OneTap | null {
  const { t } = useTranslation('rides');
  const about = { rideId: ride.id };
  return (step) => {
    switch (step.kind) {
      case 'depart':
        return {
          label: t('act.depart'),
          isAllowed: step.allowed,
          take: () => takeStep('depart', { id: ride.id }, about),
        };
      case 'passStop':
        return {
          label: t('act.passStop'),
          isAllowed: true,
          take: () => takeStep('passStop', { id: ride.id, stop: step.number }, about),
        };
      case 'dropOff': {
        const { id: bookingId, passenger } = step.booking;
        return {
          label: t('act.dropOff'),
          isAllowed: true,
          take: () =>
            takeStep('arrive', { id: ride.id, bookingId }, { ...about, person: shortName(passenger.name) }),
        };
      }
      case 'arrive':
        return {
          label: t('act.arrive'),
          isAllowed: ride.may.includes('arrive') || ride.may.includes('endEmpty'),
          take: () => takeStep('arrive', { id: ride.id }, about),
        };
      default:
        return null;
    }
  };
}

/** The driver's one button, and what may be done instead. */
export function DrivingAction({ ride, step }: { ride: Ride; step: DriverStep }) {
  const { t } = useTranslation('rides');
  useReadyToScan(ride);
  const { busy } = useSteps(ride.id);
  const oneTap = useOneTap(ride)(step);
  const about = { rideId: ride.id };
  if (oneTap !== null)
    return (
      <Button full busy={busy} disabled={!oneTap.isAllowed} onClick={oneTap.take}>
        {oneTap.label}
      </Button>
    );
  if (step.kind === 'board') return <BoardAction ride={ride} booking={step.booking} />;
  if (step.kind === 'reachStart')
    return (
      <ReachButton
        label={t('act.reachStart')}
        place={ride.from}
        isMeeting={isBoardedAtStart(ride)}
        busy={busy}
        disabled={!ride.may.includes('reach')}
        onReach={(told) => takeStep('reach', { id: ride.id, ...told }, about)}
      />
    );
  if (step.kind === 'reachPickup')
    return (
      <ReachButton
        key={step.booking.id}
        label={t('act.reach')}
        place={step.booking.pickup}
        isMeeting
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
  return null;
}

function BoardAction({ ride, booking }: { ride: Ride; booking: Booking }) {
  const { t } = useTranslation('rides');
  const { busy } = useSteps(booking.rideId);
  const terms = useMoneyTerms();
  const name = shortName(booking.passenger.name);
  const about = { rideId: booking.rideId, person: name };
  const undo = () => takeStep('pickUp', { bookingId: booking.id, undo: true }, about);
  if (booking.metBy === 'driver') {
    return (
      <div className="flex flex-col gap-2">
        <Button full disabled>
          {t('act.waitingFor', { name })}
        </Button>
        <BoardingProof ride={ride} booking={booking} />
        <TextButton tone="ink" disabled={busy} onClick={undo}>
          {t('act.undo')}
        </TextButton>
      </div>
    );
  }
  return (
    <div className="flex flex-col gap-2">
      <BoardingProof ride={ride} booking={booking} />
      {/* Without a PIN or a code the passenger confirms on their own phone. */}
      <TextButton
        tone="ink"
        disabled={busy}
        onClick={() => takeStep('pickUp', { bookingId: booking.id }, about)}
      >
        {t('act.pickedUpNoPin', { name })}
      </TextButton>
      {booking.may.includes('undoMeet') && (
        <TextButton tone="ink" disabled={busy} onClick={undo}>
          {t('act.notOnBoard', { name })}
        </TextButton>
      )}
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
