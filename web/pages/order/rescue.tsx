import { useTranslation } from 'react-i18next';
import { rescue } from '#contract/journeys/endpoints.ts';
import { askToJoin } from '#contract/rides/endpoints.ts';
import type { Candidate, Request } from '#contract/rides/views.ts';
import { useHoldWords } from '../../base/money-terms.ts';
import { useCall } from '../../base/queries.ts';
import { BookingAnswer } from '../../rooms/matching/booking-answer.tsx';
import { useMatchAction } from '../../rooms/matching/use-match-action.ts';
import { CandidateCard } from '../../rooms/rides/candidate-card.tsx';
import { shortName } from '../../rooms/rides/short-name.ts';
import { Button } from '../../ui/button.tsx';
import { Banner, Section } from '../../ui/surfaces.tsx';
import { toast } from '../../ui/toasts.tsx';

const openStates: readonly Request['state'][] = ['matching', 'requesting', 'inviting'];

/** After a driver has let my request down: what happened, and up to three rides one tap away. */
export function Rescue({ request }: { request: Request }) {
  const { t } = useTranslation('rides');
  const mayBeLost =
    openStates.includes(request.state) &&
    request.bookings.some(({ state }) => state === 'cancel' || state === 'missed');
  const { data } = useCall(rescue, { id: request.id }, { enabled: request.mine && mayBeLost, quiet: true });
  if (!mayBeLost || !data || data.because === null) return null;
  const name = shortName(data.driverName);
  return (
    <Section title={t('rescue.title')}>
      <Banner kind="warn">
        {t(`rescue.${data.because}`, { name })}{' '}
        {t(data.candidates.length > 0 ? 'rescue.others' : 'rescue.none')}
      </Banner>
      <ul className="flex flex-col gap-3">
        {data.candidates.map((candidate) => (
          <li key={candidate.ride.id}>
            <CandidateCard candidate={candidate} side="passenger" seats={request.seats}>
              <OneTap candidate={candidate} requestId={request.id} />
            </CandidateCard>
          </li>
        ))}
      </ul>
    </Section>
  );
}

function OneTap({ candidate, requestId }: { candidate: Candidate; requestId: string }) {
  const { t } = useTranslation(['rides', 'planning']);
  const { ride, booking } = candidate;
  const holdWords = useHoldWords();
  const ask = useMatchAction(askToJoin, () =>
    toast.done(t('planning:ask.asked', { name: ride.driver.name })),
  );
  if (booking !== null)
    return <BookingAnswer booking={booking} side="passenger" timeZone={ride.timeZone} full />;
  return (
    <div className="flex flex-col gap-2">
      <p className="text-small text-ink-2 empty:hidden">
        {holdWords(candidate.fareCents, ride.departsAt, ride.timeZone)}
      </p>
      <Button
        tone="brand"
        full
        busy={ask.busy}
        onClick={() => ask.run({ rideId: ride.id, requestId, message: '' })}
      >
        {t('rides:rescue.ask', { name: shortName(ride.driver.name) })}
      </Button>
    </div>
  );
}
