import { Link } from '@tanstack/react-router';
import { SearchX } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { match, orderDetail } from '#contract/rides/endpoints.ts';
import { joinableRideStates } from '#contract/rides/moves.ts';
import type { Order } from '#contract/rides/views.ts';
import { LoadMore } from '../../core/paginated-list.tsx';
import { usePageSearch, usePageTitle } from '../../core/navigation.ts';
import { keptForMs } from '../../core/offline-cache.ts';
import { useCall, usePaginatedCall } from '../../core/queries.ts';
import { useProgressiveCount } from '../../core/use-progressive-count.ts';
import { QueryView } from '../../core/query-view.tsx';
import { alertOfOrder } from '../../features/alerts/alert-input.ts';
import { SaveAlert } from '../../features/alerts/save-alert.tsx';
import { AudienceLine } from '../../features/matching/audience-line.tsx';
import { CandidateActions } from '../../features/matching/candidate-actions.tsx';
import { isLooking, NoMatches, NotLooking } from '../../features/matching/no-matches.tsx';
import { Published } from '../../features/rides/moments/published.tsx';
import { PushOffer } from '../../features/notifications/push-offer.tsx';
import { OwnPlan } from '../../features/matching/own-plan.tsx';
import { CandidateCard } from '../../features/matching/candidate-card.tsx';
import { useDrawing } from '../../domain/ride/route-on-map.tsx';
import { useBackdrop } from '../../map/backdrop.tsx';
import { buttonVariants } from '../../ui/button.tsx';
import { PageLayout } from '../../ui/page-layout.tsx';
import { EmptyState } from '../../ui/surfaces.tsx';
import { AlmostFits } from './almost-fits.tsx';
import { hasAsked } from './has-asked.ts';

export function Page() {
  const title = usePageTitle();
  const { id, published } = usePageSearch('/pages/order/match');
  const detail = useCall(orderDetail, { id: id ?? '' }, { enabled: id !== undefined, quiet: true });
  useBackdrop(useDrawing(detail.data));
  return (
    <PageLayout title={title} back>
      <QueryView
        query={detail}
        skeleton={{ kind: 'cards' }}
        isMissing={id === undefined}
        missing={<PickAnOrder />}
      >
        {({ order }) => (
          <>
            {published !== undefined && order.mine && <Published order={order} />}
            <OfferPush order={order} isPublished={published !== undefined} />
            <Matches order={order} />
          </>
        )}
      </QueryView>
    </PageLayout>
  );
}

/** Offers push messages once the order is published, or a seat is asked for. */
function OfferPush({ order, isPublished }: { order: Order; isPublished: boolean }) {
  if (!order.mine) return null;
  if (hasAsked(order)) return <PushOffer moment="seat" />;
  return isPublished ? <PushOffer moment={order.role === 'driver' ? 'ride' : 'request'} /> : null;
}

/** With so few that fit, a person may want to hear of the next. */
const few = 3;

const useMatches = (order: Order, enabled: boolean) =>
  usePaginatedCall(
    match,
    { id: order.id },
    { items: ({ candidates }) => candidates, total: ({ total }) => total, enabled, gcTime: keptForMs },
  );

/** Who fits one of my orders, best first. */
function Matches({ order }: { order: Order }) {
  const { t } = useTranslation('planning');
  const looking = isLooking(order);
  const found = useMatches(order, order.mine && looking);
  const side = order.role;
  // Near misses stand below the cards, so the cards are drawn first.
  const isRestDue = useProgressiveCount(1, 0) > 0;

  if (!order.mine) return <PickAnOrder />;
  return (
    <>
      <OwnPlan order={order} />
      {order.role === 'driver' && joinableRideStates.includes(order.state) && (
        <AudienceLine rideId={order.id} />
      )}
      {!looking ? (
        <NotLooking order={order} />
      ) : (
        <QueryView
          query={found}
          failed={t('match.failed')}
          skeleton={{ kind: 'cards' }}
          empty={<NoMatches order={order} />}
          isEmpty={({ items }) => items.length === 0}
        >
          {() => <MatchList order={order} found={found} />}
        </QueryView>
      )}
      {looking && found.first && found.total <= few && (
        <SaveAlert
          alert={alertOfOrder(order)}
          timeZone={order.timeZone}
          saved={<PushOffer moment="alert" />}
        />
      )}
      {looking && found.first && isRestDue && (
        <AlmostFits misses={found.first.nearMisses} side={side} seats={order.seats} />
      )}
    </>
  );
}

/** More than fit on a screen. */
const cardsAtOnce = 4;

/** How many fit, and each of them with what may be done about it. */
function MatchList({ order, found }: { order: Order; found: ReturnType<typeof useMatches> }) {
  const { t } = useTranslation('planning');
  const drawn = useProgressiveCount(found.items.length, cardsAtOnce);
  const side = order.role;
  return (
    <section className="flex flex-col gap-3" aria-labelledby="match-count">
      <h2 id="match-count" aria-live="polite" className="text-lead">
        {t(side === 'driver' ? 'match.requests' : 'match.rides', {
          count: found.total,
        })}
      </h2>
      <ul className="flex flex-col gap-3">
        {found.items.slice(0, drawn).map((candidate) => {
          const rideId = side === 'driver' ? order.id : candidate.ride.id;
          const requestId = side === 'driver' ? (candidate.request?.id ?? '') : order.id;
          return (
            <li key={`${rideId} ${requestId}`}>
              <CandidateCard
                candidate={candidate}
                side={side}
                seats={side === 'driver' ? (candidate.request?.seats ?? 1) : order.seats}
              >
                <CandidateActions candidate={candidate} rideId={rideId} requestId={requestId} side={side} />
              </CandidateCard>
            </li>
          );
        })}
      </ul>
      <LoadMore pages={found} />
    </section>
  );
}

/** Opened without an order of one's own: matches belong to one. */
function PickAnOrder() {
  const { t } = useTranslation('planning');
  return (
    <EmptyState
      icon={<SearchX />}
      title={t('match.whichTitle')}
      text={t('match.whichText')}
      action={
        <Link to="/pages/order/order" className={buttonVariants({ small: true })}>
          {t('match.toRides')}
        </Link>
      }
    />
  );
}
