import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { pendingReviews } from '#contract/reviews/endpoints.ts';
import type { OutputOf } from '#contract/define.ts';
import { useFormat } from '../../core/use-format.ts';
import { Avatar } from '../../ui/people.tsx';
import { List, RowContent, rowVariants } from '../../ui/surfaces.tsx';

/** People whose review I still owe, each with the ride and how long there is time. */
export function PendingList({ pending }: { pending: OutputOf<typeof pendingReviews>['pending'] }) {
  const { t } = useTranslation('reviews');
  const format = useFormat();
  return (
    <List label={t('pending')}>
      {pending.map(({ bookingId, rideId, subject, from, to, departsAt, timeZone, until }) => (
        <li key={bookingId}>
          <Link to="/pages/order/review" search={{ bookingId, id: rideId }} className={rowVariants}>
            <RowContent
              leading={<Avatar name={subject.name} src={subject.avatar} seed={subject.id} />}
              title={t('review', { name: subject.name })}
              detail={
                <>
                  {from} → {to}
                  <br />
                  {format.when(departsAt, timeZone)} ·{' '}
                  {t('until', { day: format.dayInSentence(until, timeZone) })}
                </>
              }
              chevron
            />
          </Link>
        </li>
      ))}
    </List>
  );
}
