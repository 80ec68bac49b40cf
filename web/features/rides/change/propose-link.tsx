import { Link } from '@tanstack/react-router';
import { CalendarClock } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { changeableRideStates } from '#contract/rides/moves.ts';
import type { Ride } from '#contract/rides/views.ts';
import { buttonVariants } from '../../../ui/button.tsx';

/** Whether those on board can be asked for other terms: a passenger has joined, and the day has not begun. */
export const mayPropose = (ride: Ride): boolean =>
  ride.mine && ride.edit === 'details' && changeableRideStates.includes(ride.state);

/**
 * Opens the page that asks those on board for another time, price or way; only where nothing is proposed
 * already.
 */
export function ProposeLink({ ride, onStart }: { ride: Ride; onStart: (ride: Ride) => void }) {
  const { t } = useTranslation('rides');
  if (!mayPropose(ride) || ride.change !== null) return null;
  return (
    <Link
      to="/pages/order/confirm"
      search={{ propose: ride.id }}
      onClick={() => onStart(ride)}
      className={buttonVariants({ tone: 'quiet', full: true })}
    >
      <CalendarClock aria-hidden className="size-5" />
      {t('change.propose')}
    </Link>
  );
}
