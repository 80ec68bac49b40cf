import { useTranslation } from 'react-i18next';
import type { NearMiss } from '#contract/rides/views.ts';
import { useChangeWords } from '../../features/matching/change-words.ts';
import { CandidateCard } from '../../features/matching/candidate-card.tsx';
import { shortName } from '../../domain/person/short-name.ts';
import { Button } from '../../ui/button.tsx';

/**
 * Those who almost fit, as they would be after the one change that each names. Where I can still make it
 * myself, the sentence is the button that does.
 */
export function AlmostFits({
  misses,
  side,
  seats,
  onChange,
}: {
  misses: readonly NearMiss[];
  /** Which side I am on. */
  side: 'driver' | 'passenger';
  /** Seats that I need, as a passenger. */
  seats: number;
  /** Makes a change of mine; left out where my published order is fixed. */
  onChange?: (change: NearMiss['change']) => void;
}) {
  const { t } = useTranslation(['planning', 'common']);
  const words = useChangeWords();
  if (misses.length === 0) return null;
  return (
    <section aria-labelledby="almost-title" className="flex flex-col gap-3">
      <div>
        <h2 id="almost-title" className="text-lead">
          {t('planning:almost.title')}
        </h2>
        <p className="text-small text-ink-2">{t('planning:almost.text')}</p>
      </div>
      <ul className="flex flex-col gap-3">
        {misses.map((miss) => {
          const { ride, request, change, by } = miss;
          const person = side === 'driver' ? request?.passenger : ride.driver;
          const wanted = request?.seats ?? seats;
          const taken = change.kind === 'fewerSeats' ? wanted - change.seats : wanted;
          const sentence = words(miss, {
            name: shortName(person?.name ?? '') || t('common:guest'),
            seats: wanted,
          });
          return (
            <li key={`${ride.id} ${request?.id ?? ''}`}>
              <CandidateCard candidate={miss} side={side} seats={taken}>
                {onChange && by === 'me' ? (
                  <Button small full tone="quiet" onClick={() => onChange(change)}>
                    {sentence}
                  </Button>
                ) : (
                  <span className="rounded-small bg-page px-3 py-2 text-body font-semibold">{sentence}</span>
                )}
              </CandidateCard>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
