import { useTranslation } from 'react-i18next';
import { arrive, depart, noShow, pickUp, reach } from '#contract/rides/endpoints.ts';
import type { Booking, Ride } from '#contract/rides/views.ts';
import { Button, TextButton } from '../../ui/button.tsx';
import type { DriverStep } from './driver-step.ts';
import { NoShowButton } from './no-show-button.tsx';
import { shortName } from './short-name.ts';
import { useRideAction } from './use-ride-action.ts';

/** The driver's one button, and what may be done instead. */
export function DrivingAction({ ride, step }: { ride: Ride; step: DriverStep }) {
  const { t } = useTranslation('rides');
  const reaching = useRideAction(reach);
  const departing = useRideAction(depart);
  const arriving = useRideAction(arrive);
  switch (step.kind) {
    case 'reachStart':
      return (
        <Button
          full
          busy={reaching.busy}
          disabled={!ride.may.includes('reach')}
          onClick={() => reaching.run({ id: ride.id })}
        >
          {t('act.reachStart')}
        </Button>
      );
    case 'depart':
      return (
        <Button
          full
          busy={departing.busy}
          disabled={!step.allowed}
          onClick={() => departing.run({ id: ride.id })}
        >
          {t('act.depart')}
        </Button>
      );
    case 'reach':
      return (
        <Button
          full
          busy={reaching.busy}
          onClick={() => reaching.run({ id: ride.id, bookingId: step.booking.id })}
        >
          {t('act.reach')}
        </Button>
      );
    case 'board':
      return <BoardAction booking={step.booking} />;
    case 'dropOff':
      return (
        <Button
          full
          busy={arriving.busy}
          onClick={() => arriving.run({ id: ride.id, bookingId: step.booking.id })}
        >
          {t('act.dropOff')}
        </Button>
      );
    case 'arrive':
      return (
        <Button
          full
          busy={arriving.busy}
          disabled={!ride.may.includes('arrive') && !ride.may.includes('endEmpty')}
          onClick={() => arriving.run({ id: ride.id })}
        >
          {t('act.arrive')}
        </Button>
      );
    case 'tooEarly':
    case 'over':
      return null;
  }
}

function BoardAction({ booking }: { booking: Booking }) {
  const { t } = useTranslation('rides');
  const picking = useRideAction(pickUp);
  if (booking.may.includes('undoMeet')) {
    return (
      <div className="flex flex-col gap-1">
        <Button full disabled>
          {t('act.waitingFor', { name: shortName(booking.passenger.name) })}
        </Button>
        <TextButton
          tone="ink"
          disabled={picking.busy}
          onClick={() => picking.run({ bookingId: booking.id, undo: true })}
        >
          {t('act.undo')}
        </TextButton>
      </div>
    );
  }
  return (
    <div className="flex flex-col gap-1">
      <Button full busy={picking.busy} onClick={() => picking.run({ bookingId: booking.id })}>
        {t('act.pickedUp')}
      </Button>
      {booking.state === 'driver reached' && (
        <NoShowButton
          endpoint={noShow}
          bookingId={booking.id}
          allowed={booking.may.includes('noShow')}
          from={booking.noShowFrom}
          words={{
            button: t('act.noShow', { name: shortName(booking.passenger.name) }),
            title: t('act.noShowTitle', { name: shortName(booking.passenger.name) }),
            text: t('act.noShowText', { name: shortName(booking.passenger.name) }),
            confirm: t('act.noShowConfirm'),
          }}
        />
      )}
    </div>
  );
}
