import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { Booking } from '#contract/rides/views.ts';
import { toast } from '../../ui/toasts.tsx';
import { shortName } from '../person/short-name.ts';

/**
 * Runs once both have said yes. A driver reads whether the passenger has joined or their card is still to be
 * authorized; a passenger who has to pay first is led to the payment.
 */
export function useAgreed(side: 'driver' | 'passenger'): (booking: Booking) => void {
  const { t } = useTranslation(['rides', 'planning', 'payments']);
  const navigate = useNavigate();
  const tellDriver = (booking: Booking) => {
    const name = shortName(booking.passenger.name);
    if (booking.awaits !== 'payment') toast.done(t('rides:ask.accepted', { name }));
    else if (booking.payment?.need === 'card') toast.error(t('payments:need.driverUntold.card'));
    else toast.info(t('rides:ask.acceptedToPay', { name }));
  };
  return (booking) => {
    if (side === 'driver') tellDriver(booking);
    else if (booking.awaits !== 'payment') toast.done(t('planning:answer.accepted'));
    else void navigate({ to: '/pages/order/detail', search: { id: booking.requestId } });
  };
}
