import { Leaf, Volume2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { openAskStates } from '#contract/rides/moves.ts';
import type { Candidate, Reason } from '#contract/rides/views.ts';
import { useReasonWords } from './reason-words.ts';
import { RideCard } from '../../domain/ride/ride-card.tsx';

/** Reasons that have a line of their own, or are said by the price. */
const elsewhere: readonly Reason['kind'][] = ['savedCo2', 'free', 'contact', 'contactsInCommon', 'notQuiet'];

/**
 * A person who fits: for a passenger a ride with the times at their own stops, for a driver a waiting
 * passenger.
 * `children` are the buttons at its bottom.
 */
export function CandidateCard({
  candidate,
  side,
  seats,
  kicker,
  children,
}: {
  candidate: Candidate;
  /** Which side looks. */
  side: 'driver' | 'passenger';
  /** Seats the passenger needs. */
  seats: number;
  /** What stands at the top while nothing stands between the two. */
  kicker?: string;
  children?: ReactNode;
}) {
  const { t } = useTranslation(['rides', 'planning']);
  const words = useReasonWords();
  const { ride, request, pickup, dropoff, reasons, booking } = candidate;
  const facts = reasons.filter(({ kind }) => !elsewhere.includes(kind)).map((reason) => words(reason, side));
  const known = reasons
    .filter(({ kind }) => kind === 'contact' || kind === 'contactsInCommon')
    .map((reason) => words(reason, side));
  const notQuiet = reasons.find(({ kind }) => kind === 'notQuiet');
  const saved = reasons.find(({ kind }) => kind === 'savedCo2');
  return (
    <RideCard
      at={pickup.at}
      arrivesAt={dropoff.at}
      timeZone={ride.timeZone}
      from={placeOf(pickup, request?.from ?? ride.from)}
      to={placeOf(dropoff, request?.to ?? ride.to)}
      person={side === 'passenger' ? ride.driver : request?.passenger}
      personDetail={
        known.length > 0 && <span className="font-semibold text-brand-ink">{known.join(' · ')}</span>
      }
      price={priceOf(candidate, side)}
      facts={
        side === 'driver'
          ? [t('rides:seats', { count: seats }), ...facts]
          : [...(ride.instant ? [t('rides:facts.instant')] : []), ...facts]
      }
      label={booking?.state}
      kicker={
        booking && openAskStates.includes(booking.state)
          ? t(`planning:between.${booking.startedBy === side ? 'mine' : 'theirs'}.${side}`)
          : kicker
      }
    >
      {notQuiet && (
        <span className="flex items-center gap-1.5 text-small text-warn">
          <Volume2 aria-hidden className="size-4 shrink-0" />
          {words(notQuiet, side)}
        </span>
      )}
      {saved && (
        <span className="flex items-center gap-1.5 text-small text-brand-ink">
          <Leaf aria-hidden className="size-4 shrink-0" />
          {words(saved, side)}
        </span>
      )}
      {children}
    </RideCard>
  );
}

/** A stop on an unnamed road takes the name of the end it stands near. */
const placeOf = <P extends { name: string; detail: string }>(stop: P, end: P): P =>
  stop.name === '' ? end : stop;

function priceOf({ ride, fareCents, leastCents }: Candidate, side: 'driver' | 'passenger') {
  return ride.priceKind === 'perPerson'
    ? ({ cents: ride.costCents, kind: 'perPerson' } as const)
    : ({ cents: fareCents, leastCents, kind: side === 'passenger' ? 'upTo' : 'pays' } as const);
}
