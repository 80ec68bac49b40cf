import { Link, useNavigate } from '@tanstack/react-router';
import { Star } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { OutputOf } from '#contract/define.ts';
import { listReviews, pendingReviews } from '#contract/reviews/endpoints.ts';
import { orderDetail } from '#contract/rides/endpoints.ts';
import { usePageSearch, usePageTitle } from '../../core/navigation.ts';
import { useCall } from '../../core/queries.ts';
import { QueryView } from '../../core/query-view.tsx';
import { PendingList } from '../../features/reviews/pending-list.tsx';
import { ReviewCard } from '../../features/reviews/review-card.tsx';
import { ReviewForm } from '../../features/reviews/review-form.tsx';
import { shortName } from '../../domain/person/short-name.ts';
import { PlacesLines } from '../../domain/place/places-lines.tsx';
import { buttonVariants } from '../../ui/button.tsx';
import { PageLayout } from '../../ui/page-layout.tsx';
import { Card, EmptyState, Section } from '../../ui/surfaces.tsx';
import { toast } from '../../ui/toasts.tsx';

/** Reviews: the ones I owe, the one I write, and what both sides of a ride said. */
export function Page() {
  const { t } = useTranslation('reviews');
  const title = usePageTitle();
  const { bookingId, id } = usePageSearch('/pages/order/review');
  const owed = useCall(pendingReviews, {}, { quiet: true });
  return (
    <PageLayout title={title} back>
      <QueryView query={owed} failed={t('failed')}>
        {({ pending }) => {
          const due =
            pending.find((each) => each.bookingId === bookingId) ??
            pending.find((each) => bookingId === undefined && each.rideId === id);
          if (due !== undefined) return <Write key={due.bookingId} due={due} />;
          if (id !== undefined) return <Written rideId={id} pending={pending} />;
          return pending.length > 0 ? <PendingList pending={pending} /> : <NoneOwed />;
        }}
      </QueryView>
    </PageLayout>
  );
}

function NoneOwed() {
  const { t } = useTranslation('reviews');
  return (
    <EmptyState
      icon={<Star />}
      title={t('noneTitle')}
      text={t('noneText')}
      action={
        <Link
          to="/pages/order/order"
          search={{ stage: 'Completed' }}
          className={buttonVariants({ small: true })}
        >
          {t('toRides')}
        </Link>
      }
    />
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
  const { t } = useTranslation('reviews');
  const written = useCall(listReviews, { rideId }, { quiet: true });
  const ride = useCall(orderDetail, { id: rideId }, { quiet: true });
  return (
    <>
      <Section title={t('ofRide')}>
        <QueryView query={ride} failed={t('failed')}>
          {({ order }) => (
            <QueryView query={written} failed={t('failed')}>
              {({ reviews }) =>
                reviews.length === 0 ? (
                  <Card>
                    <p className="text-body text-ink-2">{t('nothingYet')}</p>
                  </Card>
                ) : (
                  reviews.map((review) => (
                    <ReviewCard key={review.id} review={review} timeZone={order.timeZone} />
                  ))
                )
              }
            </QueryView>
          )}
        </QueryView>
      </Section>
      {pending.length > 0 && (
        <Section title={t('pending')}>
          <PendingList pending={pending} />
        </Section>
      )}
      <Link
        to="/pages/order/detail"
        search={{ id: rideId }}
        className={buttonVariants({ tone: 'quiet', small: true })}
      >
        {t('toRide')}
      </Link>
    </>
  );
}
