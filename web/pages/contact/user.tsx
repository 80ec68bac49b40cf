import { Link } from '@tanstack/react-router';
import { UserRound } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { readContact } from '#contract/contacts/endpoints.ts';
import type { OutputOf } from '#contract/define.ts';
import { listReviews } from '#contract/reviews/endpoints.ts';
import { useConfig } from '../../core/config.ts';
import { usePageSearch, usePageTitle } from '../../core/navigation.ts';
import { PaginatedList } from '../../core/paginated-list.tsx';
import { useCall, usePaginatedCall } from '../../core/queries.ts';
import { QueryView } from '../../core/query-view.tsx';
import { PersonDangers } from '../../features/contacts/person-dangers.tsx';
import { PersonHead } from '../../features/contacts/person-head.tsx';
import { RelationStep } from '../../features/contacts/relation-step.tsx';
import { WithContacts } from '../../features/contacts/with-contacts.tsx';
import { ReviewCard } from '../../features/reviews/review-card.tsx';
import { buttonVariants } from '../../ui/button.tsx';
import { PageLayout } from '../../ui/page-layout.tsx';
import { Card, EmptyState, Section } from '../../ui/surfaces.tsx';

/** A person's page: who they are, how we stand to each other, what others wrote about them. */
export function Page() {
  const { t } = useTranslation('contacts');
  const { id = '' } = usePageSearch('/pages/contact/user');
  const person = useCall(readContact, { id }, { enabled: id !== '', quiet: true });
  return (
    <PageLayout title={usePageTitle()} back>
      <QueryView
        query={person}
        failed={t('person.failed')}
        skeleton={{ kind: 'person' }}
        isMissing={id === ''}
        missing={<Unknown />}
      >
        {(detail) => <PersonDetail detail={detail} />}
      </QueryView>
    </PageLayout>
  );
}

function PersonDetail({ detail }: { detail: OutputOf<typeof readContact> }) {
  const { t } = useTranslation('contacts');
  const { person, relation, interests, contactsInCommon: count } = detail;
  const inCommon = count > 0 ? t('person.inCommon', { count }) : undefined;
  const note = relation === 'self' ? t('person.self') : inCommon;
  return (
    <>
      <PersonHead person={person} {...(note === undefined ? {} : { note })} />
      {interests !== '' && (
        <Section title={t('person.interests')}>
          <Card>
            <p dir="auto" className="text-body break-words whitespace-pre-wrap">
              {interests}
            </p>
          </Card>
        </Section>
      )}
      {/* Tags are next to what I noted about them. */}
      <WithContacts>{(_contacts, tags) => <RelationStep detail={detail} tags={tags} />}</WithContacts>
      {relation !== 'blocked' && <Reviews userId={person.id} />}
      {relation !== 'self' && <PersonDangers person={person} relation={relation} />}
    </>
  );
}

function Reviews({ userId }: { userId: string }) {
  const { t } = useTranslation('contacts');
  const pages = usePaginatedCall(
    listReviews,
    { userId },
    { items: ({ reviews }) => reviews, total: ({ total }) => total },
  );
  const { data: config } = useConfig();
  return (
    <Section title={t('person.reviews')}>
      <PaginatedList
        pages={pages}
        failed={t('person.reviewsFailed')}
        empty={<p className="text-body text-ink-2">{t('person.noReviews')}</p>}
      >
        {(reviews) =>
          reviews.map((review) => (
            <ReviewCard key={review.id} review={review} timeZone={config?.region.timeZone ?? 'UTC'} />
          ))
        }
      </PaginatedList>
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
