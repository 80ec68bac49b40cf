import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { withdraw } from '#contract/rides/endpoints.ts';
import type { Booking } from '#contract/rides/views.ts';
import { useHoldWords } from '../../domain/money/money-terms.ts';
import { Button, buttonVariants } from '../../ui/button.tsx';
import { toast } from '../../ui/toasts.tsx';
import { AskAnswer } from '../../domain/booking/ask-answer.tsx';
import { InvitationAnswer } from '../../domain/booking/invitation-answer.tsx';
import { shortName } from '../../domain/person/short-name.ts';
import { useRideAction } from '../../domain/ride/use-ride-action.ts';

/** The state between a ride and a request, and my next word in it. */
export function BookingAnswer({
  booking,
  side,
  timeZone,
  full,
}: {
  booking: Booking;
  side: 'driver' | 'passenger';
  timeZone: string;
  /** As wide as its container. */
  full: boolean;
}) {
  const { t } = useTranslation('planning');
  const withdrawing = useRideAction(withdraw, () => toast.done(t('answer.withdrawn')));
  const bookingId = booking.id;
  const may = (move: Booking['may'][number]) => booking.may.includes(move);

  if (booking.awaits === 'payment' && side === 'passenger') {
    return (
      <Link
        to="/pages/order/detail"
        search={{ id: booking.requestId }}
        className={buttonVariants({ tone: 'brand', small: !full, full })}
      >
        {t('answer.pay')}
      </Link>
    );
  }
  if (may('acceptInvitation')) return <Invitation booking={booking} timeZone={timeZone} full={full} />;
  if (may('accept')) {
    const name = shortName(booking.passenger.name);
    return <AskAnswer bookingId={bookingId} name={name} mayReject={may('reject')} full={full} />;
  }
  if (may('withdraw') || may('withdrawInvitation')) {
    return (
      <Button
        tone="quiet"
        small={!full}
        full={full}
        busy={withdrawing.busy}
        onClick={() => withdrawing.run({ bookingId })}
      >
        {t('answer.withdraw')}
      </Button>
    );
  }
  return (
    <Link
      to="/pages/order/detail"
      search={{ id: side === 'driver' ? booking.rideId : booking.requestId }}
      className={buttonVariants({ tone: 'quiet', small: !full, full })}
    >
      {t('answer.toRide')}
    </Link>
  );
}

/** The passenger's answer to an invitation, with what the yes holds on a card. */
function Invitation({ booking, timeZone, full }: { booking: Booking; timeZone: string; full: boolean }) {
  const holdWords = useHoldWords();
  const { id, fareCents, pickup } = booking;
  return (
    <span className="flex w-full flex-col gap-2">
      {fareCents > 0 && (
        <span className="text-small text-ink-2">{holdWords(fareCents, pickup.at, timeZone)}</span>
      )}
      <InvitationAnswer bookingId={id} holdCents={fareCents} departsAt={pickup.at} full={full} />
    </span>
  );
}
