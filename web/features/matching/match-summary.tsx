import { useTranslation } from 'react-i18next';
import { seatedStates } from '#contract/rides/moves.ts';
import type { Booking, Candidate, Ride } from '#contract/rides/views.ts';
import { useFormat } from '../../core/use-format.ts';
import { PersonLine } from '../../domain/person/person-line.tsx';
import { PlacesLines } from '../../domain/place/places-lines.tsx';
import { PriceTag } from '../../domain/money/price-lines.tsx';
import { useReasonWords } from './reason-words.ts';
import { StateChip } from '../../domain/ride/state-chip.tsx';

/** What a ride and a request make of each other, whether it is still a match or already agreed. */
interface Pair {
  ride: Pick<Ride, 'driver' | 'timeZone' | 'priceKind' | 'costCents'>;
  passenger: Booking['passenger'] | undefined;
  seats: number | undefined;
  pickup: Booking['pickup'];
  dropoff: Booking['dropoff'];
  fareCents: number;
  leastCents: number;
  booking: Booking | null;
  facts: readonly string[];
}

/** The pair as matching sees it, with all its reasons; as agreed, once there is an agreement. */
export function usePair(): (candidate: Candidate) => Pair {
  const words = useReasonWords();
  const agreed = useAgreedPair();
  return ({ ride, request, pickup, dropoff, fareCents, leastCents, booking, reasons }) =>
    booking && seatedStates.includes(booking.state)
      ? agreed(booking, ride)
      : {
          ride,
          passenger: request?.passenger,
          seats: request?.seats,
          pickup,
          dropoff,
          fareCents,
          leastCents,
          booking,
          facts: reasons.map((reason) => words(reason, ride.mine ? 'driver' : 'passenger')),
        };
}

/** The pair as a booking keeps it. */
export function useAgreedPair(): (booking: Booking, ride: Pair['ride']) => Pair {
  const { t } = useTranslation('rides');
  const format = useFormat();
  return (booking, ride) => ({
    ride,
    passenger: booking.passenger,
    seats: booking.seats,
    pickup: booking.pickup,
    dropoff: booking.dropoff,
    fareCents: booking.fareCents,
    leastCents: booking.leastCents,
    booking,
    facts: [
      booking.detourSeconds < 30
        ? t('why.noDetour')
        : t('why.detour', { time: format.duration(booking.detourSeconds) }),
    ],
  });
}

/** The pair in the sheet over its map: who, my stops with their times, the price, and why. */
export function MatchSummary({ pair, side }: { pair: Pair; side: 'driver' | 'passenger' }) {
  const { t } = useTranslation('rides');
  const { ride, passenger, seats, pickup, dropoff, fareCents, leastCents, booking, facts } = pair;
  const person = side === 'passenger' ? ride.driver : passenger;
  const seatWords = side === 'driver' && seats !== undefined ? [t('seats', { count: seats })] : [];
  return (
    <div className="flex flex-col gap-4">
      <div className="flex items-start justify-between gap-3">
        <div className="min-w-0 flex-1">{person && <PersonLine person={person} />}</div>
        <PriceTag
          {...(ride.priceKind === 'perPerson'
            ? { cents: ride.costCents, kind: 'perPerson' }
            : { cents: fareCents, leastCents, kind: side === 'passenger' ? 'upTo' : 'pays' })}
        />
      </div>
      {booking && (
        <div>
          <StateChip label={booking.state} />
        </div>
      )}
      <PlacesLines
        from={pickup}
        to={dropoff}
        fromAt={pickup.at}
        toAt={dropoff.at}
        timeZone={ride.timeZone}
        big
      />
      <p className="text-body text-ink-2">{[...seatWords, ...facts].join(' · ')}</p>
      {booking !== null && booking.message !== '' && (
        <p className="rounded-small bg-page px-3 py-2 text-body break-words whitespace-pre-line">
          {booking.message}
        </p>
      )}
    </div>
  );
}
