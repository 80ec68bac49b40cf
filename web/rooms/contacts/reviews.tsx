import { useTranslation } from 'react-i18next';
import type { Review } from '#contract/reviews/endpoints.ts';
import { useFormat } from '../../base/use-format.ts';
import { Avatar, Rating } from '../../ui/people.tsx';
import { Card } from '../../ui/surfaces.tsx';

/** What others wrote about somebody, newest first. */
export function PublishedReviews({ reviews }: { reviews: readonly Review[] }) {
  const { t } = useTranslation('common');
  const format = useFormat();
  return (
    <ul className="flex flex-col gap-3">
      {reviews.map((review) => (
        <li key={review.id}>
          <Card>
            <div className="flex items-center gap-3">
              <Avatar name={review.author.name} src={review.author.avatar} seed={review.author.id} size={40} />
              <div className="min-w-0 flex-1">
                <p className="truncate font-semibold">{review.author.name}</p>
                <time dateTime={review.at} className="text-small text-ink-3">
                  {format.relative(review.at)}
                </time>
              </div>
              <Rating stars={review.stars} label={t('stars', { count: review.stars })} none="" />
            </div>
            {review.words !== '' && (
              <p className="mt-3 text-body break-words whitespace-pre-line text-ink-2">{review.words}</p>
            )}
          </Card>
        </li>
      ))}
    </ul>
  );
}
