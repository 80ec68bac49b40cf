import { Armchair, Zap } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { openAskStates } from '#contract/rides/moves.ts';
import type { Candidate, Reason } from '#contract/rides/views.ts';
import type { RideFact } from '../../domain/ride/ride-facts.tsx';
import { RideCard } from '../../domain/ride/ride-card.tsx';
import { reasonIcon } from './reason-icons.ts';
import { useReasonWords } from './reason-words.ts';

/** Reasons that the price says, or the ride's own page. */
const elsewhere: readonly Reason['kind'][] = ['savedCo2', 'free'];
const inFavor: readonly Reason['kind'][] = ['contact', 'contactsInCommon'];

/**
 * A person who matches: for a passenger a ride with the times at their own stops, for a driver a waiting
 * passenger. A tap opens the ride or request, one on the photo or the name the person; `children` are the
 * buttons at its bottom.
 */
export function CandidateCard({
  candidate,
  side,
  seats,
  kicker,
  children,
}: {
  candidate: Candidate;
  /** The viewer's side. */
  side: 'driver' | 'passenger';
  /** Seats the passenger needs. */
  seats: number;
  /** The text at the top while nothing is open between the two. */
  kicker?: string;
  children?: ReactNode;
}) {
  const { t } = useTranslation('planning');
  const { ride, request, pickup, dropoff, booking } = candidate;
  return (
    <RideCard
      at={pickup.at}
      arrivesAt={dropoff.at}
      timeZone={ride.timeZone}
      from={placeOf(pickup, request?.from ?? ride.from)}
      to={placeOf(dropoff, request?.to ?? ride.to)}
      person={side === 'passenger' ? ride.driver : request?.passenger}
      price={priceOf(candidate, side)}
      facts={useFacts(candidate, side, seats)}
      label={booking?.state}
      kicker={
        booking && openAskStates.includes(booking.state)
          ? t(`between.${booking.startedBy === side ? 'mine' : 'theirs'}.${side}`)
          : kicker
      }
      opens={side === 'passenger' ? ride.id : request?.id}
    >
      {children}
    </RideCard>
  );
}

/** Instant booking or the seats needed first, then why the two match; what speaks against it last. */
function useFacts({ ride, reasons }: Candidate, side: 'driver' | 'passenger', seats: number): RideFact[] {
  const { t } = useTranslation('rides');
  const words = useReasonWords();
  const first: RideFact[] =
    side === 'driver'
      ? [{ icon: Armchair, words: t('seats', { count: seats }) }]
      : ride.instant
        ? [{ icon: Zap, words: t('facts.instant'), tone: 'brand' }]
        : [];
  const matching = reasons
    .filter(({ kind }) => !elsewhere.includes(kind))
    .map((reason): RideFact => ({
      icon: reasonIcon(reason),
      words: words(reason, side),
      tone: reason.kind === 'notQuiet' ? 'warn' : inFavor.includes(reason.kind) ? 'brand' : 'neutral',
    }));
  return [
    ...first,
    ...matching.filter(({ tone }) => tone !== 'warn'),
    ...matching.filter(({ tone }) => tone === 'warn'),
  ];
}

/** A stop on an unnamed road takes the name of the end that it is near. */
const placeOf = <P extends { name: string; detail: string }>(stop: P, end: P): P =>
  stop.name === '' ? end : stop;

function priceOf({ ride, fareCents, leastCents }: Candidate, side: 'driver' | 'passenger') {
  return ride.priceKind === 'perPerson'
    ? ({ cents: ride.costCents, kind: 'perPerson' } as const)
    : ({ cents: fareCents, leastCents, kind: side === 'passenger' ? 'upTo' : 'pays' } as const);
}
