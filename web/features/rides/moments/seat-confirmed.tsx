import { CircleCheckBig, X } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { seatedBooking } from '#contract/rides/next-action.ts';
import type { Booking, Order } from '#contract/rides/views.ts';
import { stored } from '../../../core/stored.ts';
import { useFormat } from '../../../core/use-format.ts';
import { shortName } from '../../../domain/person/short-name.ts';
import { IconButton } from '../../../ui/button.tsx';

/** The bookings whose confirmation this browser has shown and its person has closed; the newest last. */
const closedConfirmations = stored<string[]>('seatConfirmed', (raw) =>
  Array.isArray(raw) ? raw.filter((id): id is string => typeof id === 'string') : [],
);
const keptConfirmations = 20;

/**
 * The moment in which a seat is agreed, at the top of the page of a ride or request until it is closed or the
 * day of the ride begins: with whom, when and where.
 */
export function SeatConfirmed({ order }: { order: Order }) {
  const booking = seatedBooking(order.bookings);
  const [closed, setClosed] = useState(closedConfirmations.read);
  if (booking === undefined || booking.state !== 'joined' || booking.awaits !== null) return null;
  if (closed.includes(booking.id)) return null;
  const close = () => {
    const next = [...closed, booking.id].slice(-keptConfirmations);
    closedConfirmations.write(next);
    setClosed(next);
  };
  return <Confirmation order={order} booking={booking} onClose={close} />;
}

function Confirmation({ order, booking, onClose }: { order: Order; booking: Booking; onClose: () => void }) {
  const { t } = useTranslation(['rides', 'common']);
  const format = useFormat();
  const drives = order.role === 'driver' && order.mine;
  const ride = order.role === 'driver' ? order : order.ride;
  const name = shortName(drives ? booking.passenger.name : (ride?.driver.name ?? ''));
  return (
    <section
      aria-label={t('rides:seatConfirmed.label')}
      className="flex animate-appear items-start gap-3 rounded-control bg-brand-soft p-4"
    >
      <CircleCheckBig aria-hidden className="mt-0.5 size-7 shrink-0 text-brand-ink" />
      <div className="min-w-0 flex-1">
        <h2 className="text-lead font-semibold">
          {t(drives ? 'rides:seatConfirmed.driver' : 'rides:seatConfirmed.rider', { name })}
        </h2>
        <p className="pt-0.5 text-body text-ink-2">
          {t('rides:seatConfirmed.when', {
            when: format.when(booking.pickup.at, order.timeZone),
            place: booking.pickup.name,
          })}
        </p>
      </div>
      <IconButton
        label={t('common:close')}
        icon={<X aria-hidden />}
        className="-mt-2 -mr-2"
        onClick={onClose}
      />
    </section>
  );
}
