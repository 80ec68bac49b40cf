import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Booking } from '#contract/rides/views.ts';
import { Button } from '../../ui/button.tsx';
import { useAddCard } from './add-card.tsx';
import { ChooseCard } from './choose-card.tsx';
import { TimeToPay } from '../../domain/money/time-to-pay.tsx';
import { useAuthorize } from '../../domain/money/use-authorize.ts';

/**
 * Where paying for a booking leads back to: its request's page, which then asks for the state of the payment.
 */
const returnToOf = ({ id, requestId }: Booking) =>
  `/pages/order/detail?${new URLSearchParams({ id: requestId, pay: id })}`;

/**
 * The one thing a passenger does next so that the seat is theirs, and how long it may take; nothing while the
 * provider is at work.
 */
export function PayAction({ booking, timeZone }: { booking: Booking; timeZone: string }) {
  if (booking.payment?.need == null) return null;
  return (
    <>
      {booking.expiresAt !== null && <TimeToPay at={booking.expiresAt} />}
      <Pay booking={booking} timeZone={timeZone} />
    </>
  );
}

function Pay({ booking, timeZone }: { booking: Booking; timeZone: string }) {
  const { t } = useTranslation('payments');
  const [choosing, setChoosing] = useState(false);
  const [leaving, setLeaving] = useState(false);
  const returnTo = returnToOf(booking);
  const adding = useAddCard(returnTo);
  // A bank's page that is over is requested again.
  const again = useAuthorize(timeZone, ({ actionUrl }) => {
    if (actionUrl !== null) location.assign(actionUrl);
  });
  const { payment } = booking;
  switch (payment?.need) {
    case 'card':
      return (
        <>
          <Button full busy={adding.busy} onClick={adding.start}>
            {t('need.card')}
          </Button>
          {adding.form}
        </>
      );
    case 'confirmation':
      return (
        <Button
          full
          busy={leaving || again.busy}
          onClick={() => {
            if (payment.actionUrl === null) again.run({ bookingId: booking.id });
            else {
              setLeaving(true);
              location.assign(payment.actionUrl);
            }
          }}
        >
          {t('need.confirmation')}
        </Button>
      );
    case 'driverAccount':
      return (
        <Button full tone="quiet" busy={again.busy} onClick={() => again.run({ bookingId: booking.id })}>
          {t('need.driverAccount')}
        </Button>
      );
    case 'anotherCard':
      return (
        <>
          <Button full onClick={() => setChoosing(true)}>
            {t('need.anotherCard')}
          </Button>
          {choosing && (
            <ChooseCard
              bookingId={booking.id}
              payment={payment}
              returnTo={returnTo}
              timeZone={timeZone}
              onClose={() => setChoosing(false)}
            />
          )}
        </>
      );
    default:
      return null;
  }
}
