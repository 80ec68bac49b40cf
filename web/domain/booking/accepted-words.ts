import { useTranslation } from 'react-i18next';
import type { Booking } from '#contract/rides/views.ts';
import { toast } from '../../ui/toasts.tsx';
import { shortName } from '../person/short-name.ts';

/**
 * Tells a driver what accepting a passenger has come to: they have joined, or their card is still to be
 * held.
 */
export function useAcceptedWords(): (booking: Booking) => void {
  const { t } = useTranslation(['rides', 'payments']);
  return (booking) => {
    const name = shortName(booking.passenger.name);
    if (booking.awaits !== 'payment') toast.done(t('rides:ask.accepted', { name }));
    else if (booking.payment?.need === 'card') toast.error(t('payments:need.driverUntold.card'));
    else toast.info(t('rides:ask.acceptedToPay', { name }));
  };
}
