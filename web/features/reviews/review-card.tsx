import { EyeOff, Star } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { Review } from '#contract/reviews/endpoints.ts';
import { useFormat } from '../../core/use-format.ts';
import { classes } from '../../ui/classes.ts';
import { Avatar } from '../../ui/people.tsx';
import { Card } from '../../ui/surfaces.tsx';
import { ReviewAnswers } from './review-answers.tsx';

/**
 * One review: who about whom, stars, what was good, the words; my own unpublished one says that no one sees
 * it yet.
 */
export function ReviewCard({ review, timeZone }: { review: Review; timeZone: string }) {
  const { t } = useTranslation(['reviews', 'common']);
  const format = useFormat();
  const { author, subject, stars, tags, words, at, published, reply, mayReply, mayReport } = review;
  return (
    <Card className="flex flex-col gap-3">
      <div className="flex items-center gap-3">
        <Avatar name={author.name} src={author.avatar} seed={author.id} />
        <div className="min-w-0 flex-1">
          <p className="truncate text-lead font-semibold">
            {t('reviews:about', { author: author.name, subject: subject.name })}
          </p>
          <p className="flex items-center gap-2 text-small text-ink-3">
            <span className="sr-only">{t('common:stars', { count: stars })}</span>
            <span aria-hidden className="flex">
              {[1, 2, 3, 4, 5].map((each) => (
                <Star
                  key={each}
                  className={classes('size-4', each <= stars ? 'fill-brand text-brand-ink' : 'text-edge')}
                />
              ))}
            </span>
            {format.day(at, timeZone)}
          </p>
        </div>
      </div>
      {tags.length > 0 && (
        <ul className="flex flex-wrap gap-1.5">
          {tags.map((tag) => (
            <li key={tag} className="rounded-full bg-ink/6 px-2.5 py-1 text-small text-ink-2">
              {t(`reviews:tag.${tag}`)}
            </li>
          ))}
        </ul>
      )}
      {words !== '' && <p className="text-body break-words whitespace-pre-line">{words}</p>}
      {reply !== '' && (
        <div className="rounded-control bg-page px-4 py-3">
          <p className="text-small text-ink-3">{t('reviews:reply.of', { name: subject.name })}</p>
          <p className="text-body break-words whitespace-pre-line">{reply}</p>
        </div>
      )}
      {(mayReply || mayReport) && <ReviewAnswers review={review} />}
      {!published && (
        <p className="flex items-center gap-2 text-small text-ink-3">
          <EyeOff aria-hidden className="size-4 shrink-0" />
          {t('reviews:hidden', { name: subject.name })}
        </p>
      )}
    </Card>
  );
}
