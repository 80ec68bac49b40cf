import { Link, useNavigate } from '@tanstack/react-router';
import { Star } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { OutputOf } from '#contract/define.ts';
import { listReviews, pendingReviews } from '#contract/reviews/endpoints.ts';
import { orderDetail } from '#contract/rides/endpoints.ts';
import { errorWords } from '../../base/errors.ts';
import { usePageQuery, usePageTitle } from '../../base/navigation.ts';
import { useCall } from '../../base/queries.ts';
import { PendingList } from '../../rooms/reviews/pending-list.tsx';
import { ReviewCard } from '../../rooms/reviews/review-card.tsx';
import { ReviewForm } from '../../rooms/reviews/review-form.tsx';
import { shortName } from '../../rooms/rides/short-name.ts';
import { PlacesLines } from '../../rooms/rides/places-lines.tsx';
import { buttonLook } from '../../ui/button.tsx';
import { Page as Frame } from '../../ui/page.tsx';
import { Card, EmptyState, ErrorState, Section, Skeleton } from '../../ui/surfaces.tsx';
import { toast } from '../../ui/toasts.tsx';

/** Reviews: the ones I owe, the one I write, and what both sides of a ride said. */
export function Page() {
  const { t } = useTranslation(['reviews', 'common']);
  const title = usePageTitle();
  const { bookingId, id } = usePageQuery();
  const { data, error, refetch } = useCall(pendingReviews, {});
  const due =
    data?.pending.find((each) => each.bookingId === bookingId) ??
    data?.pending.find((each) => bookingId === undefined && each.rideId === id);
  return (
    <Frame title={title} back>
      {error && !data ? (
        <ErrorState
          title={t('reviews:failed')}
          text={errorWords(error)}
          retryLabel={t('common:retry')}
          onRetry={() => void refetch()}
        />
      ) : !data ? (
        <Skeleton label={t('common:loading')} />
      ) : due ? (
        <Write key={due.bookingId} due={due} />
      ) : id !== undefined ? (
        <Written rideId={id} pending={data.pending} />
      ) : data.pending.length > 0 ? (
        <PendingList pending={data.pending} />
      ) : (
        <EmptyState
          icon={<Star />}
          title={t('reviews:noneTitle')}
          text={t('reviews:noneText')}
          action={
            <Link
              to="/pages/order/order"
              search={{ stage: 'Completed' }}
              className={buttonLook({ small: true })}
            >
              {t('reviews:toRides')}
            </Link>
          }
        />
      )}
    </Frame>
  );
}

type Pending = OutputOf<typeof pendingReviews>['pending'];

function Write({ due }: { due: Pending[number] }) {
  const { t } = useTranslation('reviews');
  const navigate = useNavigate();
  const ride = useCall(orderDetail, { id: due.rideId }, { quiet: true });
  const order = ride.data?.order;
  const subjectDrove = order?.role === 'driver' && order.driver.id === due.subject.id;
  return (
    <>
      {order && <PlacesLines from={order.from} to={order.to} timeZone={order.timeZone} />}
      <ReviewForm
        bookingId={due.bookingId}
        name={shortName(due.subject.name)}
        subjectDrove={subjectDrove}
        onWritten={(review) => {
          toast.done(t(review.published ? 'donePublished' : 'done'));
          void navigate({ to: '/pages/order/review', search: { id: due.rideId }, replace: true });
        }}
      />
    </>
  );
}

/** What was said about a ride: mine at once, the other side's when both have written or the time is over. */
function Written({ rideId, pending }: { rideId: string; pending: Pending }) {
  const { t } = useTranslation(['reviews', 'common']);
  const { data } = useCall(listReviews, { rideId }, { quiet: true });
  const ride = useCall(orderDetail, { id: rideId }, { quiet: true });
  const zone = ride.data?.order.timeZone;
  if (!data || zone === undefined) return <Skeleton label={t('common:loading')} />;
  return (
    <>
      <Section title={t('reviews:ofRide')}>
        {data.reviews.length === 0 ? (
          <Card>
            <p className="text-body text-ink-2">{t('reviews:nothingYet')}</p>
          </Card>
        ) : (
          data.reviews.map((review) => <ReviewCard key={review.id} review={review} timeZone={zone} />)
        )}
      </Section>
      {pending.length > 0 && (
        <Section title={t('reviews:pending')}>
          <PendingList pending={pending} />
        </Section>
      )}
      <Link
        to="/pages/order/detail"
        search={{ id: rideId }}
        className={buttonLook({ tone: 'quiet', small: true })}
      >
        {t('reviews:toRide')}
      </Link>
    </>
  );
}
