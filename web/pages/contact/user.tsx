import { Link } from '@tanstack/react-router';
import { UserRound } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { readContact } from '#contract/contacts/endpoints.ts';
import { listReviews } from '#contract/reviews/endpoints.ts';
import { useConfig } from '../../core/config.ts';
import { errorWords, Refused } from '../../core/errors.ts';
import { usePageSearch, usePageTitle } from '../../core/navigation.ts';
import { useCall } from '../../core/queries.ts';
import { PersonDangers } from '../../features/contacts/person-dangers.tsx';
import { PersonHead } from '../../features/contacts/person-head.tsx';
import { RelationStep } from '../../features/contacts/relation-step.tsx';
import { WithContacts } from '../../features/contacts/with-contacts.tsx';
import { ReviewCard } from '../../features/reviews/review-card.tsx';
import { buttonVariants } from '../../ui/button.tsx';
import { PageLayout } from '../../ui/page-layout.tsx';
import { Card, EmptyState, ErrorState, Section, Skeleton } from '../../ui/surfaces.tsx';

/** A person's page: who they are, how we stand to each other, what others wrote about them. */
export function Page() {
  const { t } = useTranslation(['contacts', 'common']);
  const { id = '' } = usePageSearch('/pages/contact/user');
  const { data, error, refetch } = useCall(readContact, { id }, { enabled: id !== '', quiet: true });
  const isGone = id === '' || (error instanceof Refused && (error.code === 404 || error.code === 422));
  return (
    <PageLayout title={usePageTitle()} back>
      {isGone ? (
        <Unknown />
      ) : data !== undefined ? (
        <>
          <PersonHead person={data.person} {...noteOf()} />
          {data.interests !== '' && (
            <Section title={t('contacts:person.interests')}>
              <Card>
                <p dir="auto" className="text-body break-words whitespace-pre-wrap">
                  {data.interests}
                </p>
              </Card>
            </Section>
          )}
          {/* Tags stand beside what I noted about them. */}
          <WithContacts>{(_contacts, tags) => <RelationStep detail={data} tags={tags} />}</WithContacts>
          {data.relation !== 'blocked' && <Reviews userId={id} />}
          {data.relation !== 'self' && <PersonDangers person={data.person} relation={data.relation} />}
        </>
      ) : error === null ? (
        <Skeleton label={t('common:loading')} />
      ) : (
        <ErrorState
          title={t('contacts:person.failed')}
          text={errorWords(error)}
          retryLabel={t('common:retry')}
          onRetry={() => void refetch()}
        />
      )}
    </PageLayout>
  );

  function noteOf(): { note?: string } {
    if (data?.relation === 'self') return { note: t('contacts:person.self') };
    const count = data?.contactsInCommon ?? 0;
    return count > 0 ? { note: t('contacts:person.inCommon', { count }) } : {};
  }
}

function Reviews({ userId }: { userId: string }) {
  const { t } = useTranslation(['contacts', 'common']);
  const reviews = useCall(listReviews, { userId }, { quiet: true });
  const { data: config } = useConfig();
  const published = reviews.data?.reviews.filter((review) => review.subject.id === userId) ?? [];
  return (
    <Section title={t('contacts:person.reviews')}>
      {reviews.data === undefined && reviews.error !== null && (
        <ErrorState
          title={t('contacts:person.reviewsFailed')}
          text={errorWords(reviews.error)}
          retryLabel={t('common:retry')}
          onRetry={() => void reviews.refetch()}
        />
      )}
      {reviews.isPending && <Skeleton label={t('common:loading')} />}
      {reviews.data !== undefined && published.length === 0 && (
        <p className="text-body text-ink-2">{t('contacts:person.noReviews')}</p>
      )}
      {published.map((review) => (
        <ReviewCard key={review.id} review={review} timeZone={config?.region.timeZone ?? 'UTC'} />
      ))}
    </Section>
  );
}

function Unknown() {
  const { t } = useTranslation('contacts');
  return (
    <EmptyState
      icon={<UserRound />}
      title={t('person.unknownTitle')}
      text={t('person.unknownText')}
      action={
        <Link to="/pages/contact/contact" className={buttonVariants({ tone: 'quiet', small: true })}>
          {t('person.toContacts')}
        </Link>
      }
    />
  );
}
