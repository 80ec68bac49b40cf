import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { Booking } from '#contract/rides/views.ts';
import { toast } from '../../ui/toasts.tsx';

/**
 * What follows on both having said yes: they ride together, or the payment comes first and a passenger is led
 * to it.
 */
export function useAgreed(side: 'driver' | 'passenger'): (booking: Booking) => void {
  const { t } = useTranslation(['planning', 'payments']);
  const navigate = useNavigate();
  return (booking) => {
    if (booking.awaits !== 'payment') toast.done(t('planning:answer.accepted'));
    else if (side === 'driver' && booking.payment?.need === 'card')
      toast.error(t('payments:need.driverUntold.card'));
    else if (side === 'driver') toast.info(t('planning:answer.toPay'));
    else void navigate({ to: '/pages/order/detail', search: { id: booking.requestId } });
  };
}
