import type { Booking, Ride } from '#contract/rides/views.ts';
import { shareOf } from '#contract/rides/share.ts';
import type { FeeTerms } from '#contract/payments/fees.ts';
import { feesOf } from '../../../domain/money/fees.ts';

/** What a ride has come to for its driver: those who rode, the money after fees, the CO₂ saved. */
export interface RideSums {
  riders: number;
  /** Null while the fees are not known. */
  earnedCents: number | null;
  savedCo2Grams: number;
}

const hasRidden = ({ state }: Booking) => state === 'finished';

/** Sums up a finished ride for its driver. */
export function rideSums(ride: Pick<Ride, 'bookings'>, terms: FeeTerms | undefined): RideSums {
  const ridden = ride.bookings.filter(hasRidden);
  const shares = ridden.filter(({ payment }) => payment !== null).map(shareOf);
  return {
    riders: ridden.length,
    earnedCents:
      terms === undefined ? null : shares.reduce((sum, share) => sum + share - feesOf(share, terms), 0),
    savedCo2Grams: ridden.reduce((sum, booking) => sum + booking.savedCo2Grams, 0),
  };
}
