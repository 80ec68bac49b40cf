import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { rescue } from '#contract/trips/endpoints.ts';
import { orderDetail } from '#contract/rides/endpoints.ts';
import { lostStates, openRequestStates } from '#contract/rides/moves.ts';
import type { Booking, Candidate, Request } from '#contract/rides/views.ts';
import { now } from '../../core/clock.ts';
import { useHoldWords } from '../../domain/money/money-terms.ts';
import { useCall } from '../../core/queries.ts';
import { PartView } from '../../core/query-view.tsx';
import { useFormat } from '../../core/use-format.ts';
import { BookingAnswer } from '../../features/matching/booking-answer.tsx';
import { useAskToJoin } from '../../domain/booking/use-ask-to-join.ts';
import { CandidateCard } from '../../features/matching/candidate-card.tsx';
import { shortName } from '../../domain/person/short-name.ts';
import { Button } from '../../ui/button.tsx';

/** A passenger who waits at the curb wants to know how long, not when. */
const soonMs = 3 * 3_600_000;

/** Whether a place of mine has ended in a way that may have been its driver's doing. */
export const mayBeLost = (bookings: readonly Booking[]): boolean =>
  bookings.some(({ state }) => lostStates.includes(state));

/**
 * My request behind a place that I have lost, read again: where it has found another ride, that is what
 * matters now.
 */
export function useLostRequest(booking: Booking | undefined): Request | null {
  const isLost = booking !== undefined && mayBeLost([booking]);
  const { data } = useCall(orderDetail, { id: booking?.requestId ?? '' }, { enabled: isLost, quiet: true });
  return isLost && data?.order.role === 'passenger' ? data.order : null;
}

/**
 * After a driver has let my request down: what happened, and up to three rides one tap away; else
 * `otherwise`.
 */
export function Rebooking({
  request,
  otherwise = null,
  children,
}: {
  request: Request;
  otherwise?: ReactNode;
  /** What is left of the ride that was lost. */
  children?: ReactNode;
}) {
  const { t } = useTranslation('rides');
  const format = useFormat();
  const isOpen = openRequestStates.includes(request.state) && mayBeLost(request.bookings);
  const found = useCall(rescue, { id: request.id }, { enabled: request.mine && isOpen, quiet: true });
  const { data } = found;
  if (isOpen && data === undefined && found.error !== null)
    return (
      <>
        <PartView query={found} failed={t('rescue.failed')}>
          {() => null}
        </PartView>
        {otherwise}
      </>
    );
  if (!isOpen || !data || data.because === null) return otherwise;
  const { because, candidates } = data;
  const name = shortName(data.driverName);
  const held =
    request.bookings.findLast(({ state }) => lostStates.includes(state))?.payment?.amountCents ?? 0;
  const released =
    because === 'brokenOff' ? t('rescue.ridden') : t('rescue.released', { amount: format.money(held) });
  return (
    <section aria-labelledby="rescue" className="flex flex-col gap-4">
      <div aria-live="polite">
        <h2 id="rescue" className="text-heading">
          {t(`rescue.${because}`, { name })}
        </h2>
        <p className="pt-1 text-body text-ink-2">{held > 0 ? released : t('rescue.nothing')}</p>
        <p className="text-body text-ink-2">
          {candidates.length > 0 ? t('rescue.others', { count: candidates.length }) : t('rescue.none')}
        </p>
      </div>
      {candidates.length > 0 && (
        <ul aria-label={t('rescue.title')} className="flex flex-col gap-3">
          {candidates.map((candidate) => (
            <li key={candidate.ride.id}>
              <CandidateCard
                candidate={candidate}
                side="passenger"
                seats={request.seats}
                {...(Date.parse(candidate.pickup.at) - now() < soonMs
                  ? { kicker: t('rescue.pickup', { when: format.relative(candidate.pickup.at) }) }
                  : {})}
              >
                <OneTap candidate={candidate} requestId={request.id} />
              </CandidateCard>
            </li>
          ))}
        </ul>
      )}
      {children}
    </section>
  );
}

function OneTap({ candidate, requestId }: { candidate: Candidate; requestId: string }) {
  const { t } = useTranslation(['rides', 'planning']);
  const { ride, booking, fareCents } = candidate;
  const name = shortName(ride.driver.name);
  const holdWords = useHoldWords();
  const { busy, ask } = useAskToJoin();
  if (booking !== null)
    return <BookingAnswer booking={booking} side="passenger" timeZone={ride.timeZone} full />;
  return (
    <span className="flex flex-col gap-2">
      <Button tone="brand" full busy={busy} onClick={() => void ask(candidate, requestId, '')}>
        {t(ride.instant ? 'rides:rescue.join' : 'rides:rescue.ask', { name })}
      </Button>
      <span className="text-small text-ink-2 empty:hidden">
        {holdWords(fareCents, ride.departsAt, ride.timeZone, ride.instant ? 'atOnce' : 'agreed')}
      </span>
    </span>
  );
}
