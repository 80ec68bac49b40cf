import { useNavigate } from '@tanstack/react-router';
import { Suspense, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { createOrder } from '#contract/rides/endpoints.ts';
import type { Candidate, Change } from '#contract/rides/views.ts';
import { lazyPart } from '../../core/lazy-part.ts';
import { askDraft, useAskToJoin } from '../../domain/booking/use-ask-to-join.ts';
import { keepTap, useKeptTap } from '../../core/kept-tap.ts';
import { LoadMore } from '../../core/paginated-list.tsx';
import { useAction } from '../../core/queries.ts';
import { QueryView } from '../../core/query-view.tsx';
import { useSession } from '../../core/use-session.ts';
import { SaveAlert } from '../../features/alerts/save-alert.tsx';
import { AskDialog } from '../../features/matching/ask-dialog.tsx';
import { useJoinWords } from '../../features/matching/join-words.ts';
import { clearPassengerDraft } from '../../features/planning/draft.ts';
import type { Problems } from '../../features/planning/plan-fields.ts';
import { problemsOf } from '../../features/planning/publish.ts';
import { CandidateCard } from '../../features/matching/candidate-card.tsx';
import { Button } from '../../ui/button.tsx';
import { Section } from '../../ui/surfaces.tsx';
import { AlmostFits } from '../order/almost-fits.tsx';
import type { DraftMatches } from './use-draft-matches.ts';

const PushOffer = lazyPart(
  async () => (await import('../../features/notifications/push-offer.tsx')).PushOffer,
  [],
);

/** With so few that fit, a person may want to hear of the next. */
const few = 3;

/** The rides that fit, as cards. Asking for one publishes the request first. */
export function RidesPreview({
  matches,
  onProblems,
  onChange,
}: {
  matches: DraftMatches;
  /** Shows what is wrong at its fields; true if there was something to show. */
  onProblems: (problems: Problems) => boolean;
  /** Changes the draft so that a ride which almost fits does. */
  onChange: (change: Change) => void;
}) {
  const { t } = useTranslation(['planning', 'common']);
  const { order, ready, found, timeZone } = matches;
  const [asked, setAsked] = useState<Candidate | null>(null);
  const { start, busy, publishAndAsk } = useQuickAsk(order, onProblems, () => setAsked(null));

  useKeptTap('ask.', (rideId) => {
    const tapped = found.items.find(({ ride }) => ride.id === rideId);
    if (tapped !== undefined) setAsked(tapped);
    return tapped !== undefined;
  });

  if (!ready) return null;
  const almost = (
    <AlmostFits
      misses={found.first?.nearMisses ?? []}
      side="passenger"
      seats={order.seats}
      onChange={onChange}
    />
  );
  const waiting = found.total <= few && <TellOfNext order={order} timeZone={timeZone} />;
  return (
    <QueryView query={found} failed={t('planning:match.failed')} skeleton={{ rows: 2, kind: 'cards' }}>
      {({ items }) => (
        <>
          {items.length === 0 ? (
            <Section title={t('planning:match.noRides')}>
              <p className="text-body text-ink-2">{t('planning:preview.none')}</p>
            </Section>
          ) : (
            <RideList matches={matches} onAsk={(candidate) => start(candidate) && setAsked(candidate)}>
              {asked && (
                <QuickAskDialog
                  candidate={asked}
                  busy={busy}
                  onClose={() => setAsked(null)}
                  onConfirm={(message) => void publishAndAsk(asked, message)}
                />
              )}
            </RideList>
          )}
          {waiting}
          {almost}
        </>
      )}
    </QueryView>
  );
}

function TellOfNext({ order, timeZone }: Pick<DraftMatches, 'order' | 'timeZone'>) {
  const { from, to, seats, earliestAt, latestAt, offerCents, walkMetres, preferences } = order;
  return (
    <SaveAlert
      timeZone={timeZone}
      saved={
        <Suspense>
          <PushOffer moment="alert" />
        </Suspense>
      }
      alert={{
        role: 'passenger',
        from,
        to,
        seats,
        times: { kind: 'once', earliestAt, latestAt },
        offerCents: offerCents ?? null,
        ...(preferences === undefined ? {} : { preferences }),
        ...(walkMetres === undefined ? {} : { walkMetres }),
      }}
    />
  );
}

/** How many rides fit, and their cards, each of which can be asked for. */
function RideList({
  matches: { order, found },
  onAsk,
  children,
}: {
  matches: DraftMatches;
  onAsk: (candidate: Candidate) => void;
  children: ReactNode;
}) {
  const { t } = useTranslation(['planning', 'common']);
  return (
    <section aria-labelledby="preview-count" className="flex flex-col gap-3">
      <h2 id="preview-count" tabIndex={-1} className="text-lead">
        {t('planning:match.rides', { count: found.total })}
      </h2>
      <ul className="flex flex-col gap-3">
        {found.items.map((candidate) => (
          <li key={candidate.ride.id}>
            <CandidateCard candidate={candidate} side="passenger" seats={order.seats}>
              <Button small full onClick={() => onAsk(candidate)}>
                {t(candidate.ride.instant ? 'planning:preview.book' : 'planning:preview.request')}
              </Button>
            </CandidateCard>
          </li>
        ))}
      </ul>
      <LoadMore pages={found} />
      {children}
    </section>
  );
}

function QuickAskDialog({
  candidate,
  busy,
  onClose,
  onConfirm,
}: {
  candidate: Candidate;
  busy: boolean;
  onClose: () => void;
  onConfirm: (message: string) => void;
}) {
  const { t } = useTranslation('planning');
  const words = useJoinWords()(candidate);
  return (
    <AskDialog
      draft={askDraft(candidate)}
      open
      onOpenChange={(open) => !open && onClose()}
      title={words.title}
      text={
        <>
          <span className="block">{words.text}</span>
          <span className="block pt-2 text-small empty:hidden">{words.hold}</span>
          {!candidate.ride.instant && <span className="block pt-2 text-small">{t('preview.publishes')}</span>}
        </>
      }
      confirmLabel={words.button}
      busy={busy}
      onConfirm={onConfirm}
    />
  );
}

/**
 * Publishes the request as it is filled in, then asks for the ride. A guest signs in first and finds the
 * draft again.
 */
function useQuickAsk(
  order: DraftMatches['order'],
  onProblems: (problems: Problems) => boolean,
  close: () => void,
) {
  const navigate = useNavigate();
  const { signedIn } = useSession();
  const publish = useAction(createOrder, {
    invalidates: ['/order/', '/address/'],
    onRefused: (refused) => {
      close();
      return onProblems(problemsOf(refused));
    },
  });
  const { busy, ask } = useAskToJoin();

  const publishAndAsk = async (candidate: Candidate, message: string) => {
    const request = await publish.ask({ order });
    if (request === null) return;
    // The request exists now, whatever becomes of the ask: its matches are the next page either way.
    clearPassengerDraft();
    const outcome = await ask(candidate, request.id, message);
    if (outcome === 'asked' || outcome === null)
      void navigate({ to: '/pages/order/match', search: { id: request.id } });
  };
  return {
    busy: publish.busy || busy,
    /** Whether one may go on: a guest is led to sign in, and comes back to the ride that they tapped. */
    start: (candidate: Candidate) => {
      if (signedIn) return true;
      keepTap(askDraft(candidate));
      void navigate({ to: '/pages/auth/auth', search: { returnTo: '/pages/passenger/passenger' } });
      return false;
    },
    publishAndAsk,
  };
}
