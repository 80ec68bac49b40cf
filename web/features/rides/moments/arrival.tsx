import { Flag } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { shareOf } from '#contract/rides/share.ts';
import type { Booking, Ride } from '#contract/rides/views.ts';
import { useFormat } from '../../../core/use-format.ts';
import { useMoneyTerms } from '../../../domain/money/money-terms.ts';
import { useAmount } from '../../../domain/money/price-lines.tsx';
import { Roadside } from '../../../ui/roadside.tsx';
import { rideSums } from './ride-sums.ts';

/** What the ride has come to for a passenger: what they paid, and the CO₂ that their own car did not emit. */
export function RiderArrival({ booking }: { booking: Booking }) {
  const { t } = useTranslation('rides');
  const amount = useAmount();
  const format = useFormat();
  return (
    <Arrival
      figures={[
        { value: amount(shareOf(booking)), label: t('arrival.paid') },
        ...(booking.savedCo2Grams > 0
          ? [{ value: format.weight(booking.savedCo2Grams), label: t('arrival.saved') }]
          : []),
      ]}
    />
  );
}

/** The same for the driver: what they earned after fees, who rode, and the CO₂ saved. */
export function DriverArrival({ ride }: { ride: Ride }) {
  const { t } = useTranslation('rides');
  const amount = useAmount();
  const format = useFormat();
  const { riders, earnedCents, savedCo2Grams } = rideSums(ride, useMoneyTerms());
  if (riders === 0) return null;
  return (
    <Arrival
      figures={[
        ...(earnedCents === null ? [] : [{ value: amount(earnedCents), label: t('arrival.earned') }]),
        { value: String(riders), label: t('arrival.riders', { count: riders }) },
        ...(savedCo2Grams > 0 ? [{ value: format.weight(savedCo2Grams), label: t('arrival.saved') }] : []),
      ]}
    />
  );
}

function Arrival({ figures }: { figures: readonly { value: string; label: string }[] }) {
  return (
    <div className="flex animate-appear flex-col items-center gap-3">
      <Roadside icon={<Flag />} mood="arrived" />
      <dl className="flex flex-wrap justify-center gap-x-8 gap-y-3">
        {figures.map(({ value, label }) => (
          <div key={label} className="flex flex-col-reverse items-center text-center">
            <dt className="text-small text-ink-2">{label}</dt>
            <dd className="figures text-heading font-semibold">{value}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
