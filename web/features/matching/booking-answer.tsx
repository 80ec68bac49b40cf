import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { accept, reject, withdraw } from '#contract/rides/endpoints.ts';
import type { Booking } from '#contract/rides/views.ts';
import { useHoldWords } from '../../domain/money/money-terms.ts';
import type { Action } from '../../core/queries.ts';
import { Button, buttonVariants } from '../../ui/button.tsx';
import { toast } from '../../ui/toasts.tsx';
import { useAgreed } from '../../domain/booking/use-agreed.ts';
import { useRideAction } from '../../domain/ride/use-ride-action.ts';

/** What already stands between a ride and a request, and my next word in it. */
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
  const agreed = useAgreed(side);
  const accepting = useRideAction(accept, ({ booking: accepted }) => agreed(accepted));
  const declining = useRideAction(reject, () => toast.done(t('answer.declined')));
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
  if (may('accept') || may('acceptInvitation')) {
    return (
      <YesOrNo
        booking={booking}
        side={side}
        timeZone={timeZone}
        accepting={accepting}
        declining={declining}
      />
    );
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

/** The yes to an ask or an invitation, with what it would hold on a card, and the no. */
function YesOrNo({
  booking,
  side,
  timeZone,
  accepting,
  declining,
}: {
  booking: Booking;
  side: 'driver' | 'passenger';
  timeZone: string;
  accepting: Action<typeof accept>;
  declining: Action<typeof reject>;
}) {
  const { t } = useTranslation('planning');
  const holdWords = useHoldWords();
  const bookingId = booking.id;
  return (
    <span className="flex w-full flex-wrap items-center gap-2 *:flex-1">
      {side === 'passenger' && booking.fareCents > 0 && (
        <span className="min-w-full text-small text-ink-2">
          {holdWords(booking.fareCents, booking.pickup.at, timeZone)}
        </span>
      )}
      {booking.may.includes('declineInvitation') ? (
        <Button tone="quiet" small busy={declining.busy} onClick={() => declining.run({ bookingId })}>
          {t('answer.decline')}
        </Button>
      ) : (
        // A driver says why, on the ride's own page.
        <Link
          to="/pages/order/detail"
          search={{ id: booking.rideId }}
          className={buttonVariants({ tone: 'quiet', small: true })}
        >
          {t('answer.toRide')}
        </Link>
      )}
      <Button tone="brand" small busy={accepting.busy} onClick={() => accepting.run({ bookingId })}>
        {t('answer.accept')}
      </Button>
    </span>
  );
}
