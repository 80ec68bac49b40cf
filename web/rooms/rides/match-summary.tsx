import { useTranslation } from 'react-i18next';
import type { Candidate } from '#contract/rides/views.ts';
import { PersonLine } from './person-line.tsx';
import { PlacesLines } from './places-lines.tsx';
import { PriceTag } from './price-lines.tsx';
import { useReasonWords } from './reason-words.ts';
import { StateChip } from './state-chip.tsx';

/** A match in the sheet over its map: who, my stops with their times, the price, and all its reasons. */
export function MatchSummary({ candidate, side }: { candidate: Candidate; side: 'driver' | 'passenger' }) {
  const { t } = useTranslation('rides');
  const words = useReasonWords();
  const { ride, request, pickup, dropoff, fareCents, booking } = candidate;
  const person = side === 'passenger' ? ride.driver : request?.passenger;
  const seats = side === 'driver' && request ? [t('seats', { count: request.seats })] : [];
  return (
    <div className="flex flex-col gap-4">
      <div className="flex items-start justify-between gap-3">
        <div className="min-w-0 flex-1">{person && <PersonLine person={person} />}</div>
        <PriceTag
          {...(ride.priceKind === 'perPerson'
            ? { cents: ride.costCents, kind: 'perPerson' }
            : { cents: fareCents, kind: side === 'passenger' ? 'share' : 'pays' })}
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
      <p className="text-body text-ink-2">{[...seats, ...candidate.reasons.map(words)].join(' · ')}</p>
      {booking !== null && booking.message !== '' && (
        <p className="rounded-small bg-page px-3 py-2 text-body break-words whitespace-pre-line">
          {booking.message}
        </p>
      )}
    </div>
  );
}
