import { Link } from '@tanstack/react-router';
import { UserRound } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { listReviews } from '#contract/reviews/endpoints.ts';
import { readProfile, type Person, type Profile } from '#contract/user/endpoints.ts';
import { useConfig } from '../../base/config.ts';
import { errorWords } from '../../base/errors.ts';
import { usePageQuery, usePageTitle } from '../../base/navigation.ts';
import { useCall } from '../../base/queries.ts';
import { useSession } from '../../base/session.ts';
import { PersonHead } from '../../rooms/contacts/person-head.tsx';
import { Relation } from '../../rooms/contacts/relation.tsx';
import { WithContacts } from '../../rooms/contacts/with-contacts.tsx';
import { ReviewCard } from '../../rooms/reviews/review-card.tsx';
import { buttonLook } from '../../ui/button.tsx';
import { Page as Frame } from '../../ui/page.tsx';
import { EmptyState, ErrorState, Section, Skeleton } from '../../ui/surfaces.tsx';

/** A person's page: who they are, what I noted about them, what others wrote about them. */
export function Page() {
  const { t } = useTranslation(['contacts', 'common']);
  const { id = '' } = usePageQuery();
  const { user } = useSession();
  const isMe = id === user.id;
  const reviews = useCall(listReviews, { userId: id }, { quiet: true });
  const me = useCall(readProfile, {}, { quiet: true, enabled: isMe });
  const { data: config } = useConfig();
  const timeZone = config?.region.timeZone ?? 'UTC';
  const published = reviews.data?.reviews.filter((review) => review.subject.id === id) ?? [];

  return (
    <Frame title={usePageTitle()} back>
      <WithContacts>
        {(contacts, tags) => {
          const contact = contacts.find(({ person }) => person.id === id);
          const person =
            contact?.person ??
            (isMe && me.data !== undefined ? personOf(me.data) : null) ??
            published[0]?.subject ??
            null;
          if (person === null && (reviews.isPending || (isMe && me.isPending)))
            return <Skeleton label={t('common:loading')} />;
          if (person === null) return <Unknown />;
          return (
            <>
              <PersonHead person={person} {...(isMe && { note: t('contacts:person.self') })} />
              {contact !== undefined && (
                <Section
                  title={t('contacts:person.about')}
                  action={
                    <Link
                      to="/pages/contact/edit"
                      search={{ id }}
                      className="inline-flex min-h-11 items-center font-semibold text-brand-ink underline-offset-4 hover:underline"
                    >
                      {t('contacts:person.details')}
                    </Link>
                  }
                >
                  <Relation contact={contact} tags={tags} />
                </Section>
              )}
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
                  <ReviewCard key={review.id} review={review} timeZone={timeZone} />
                ))}
              </Section>
            </>
          );
        }}
      </WithContacts>
    </Frame>
  );
}

const personOf = (profile: Profile): Person => ({
  id: profile.id,
  name: profile.name,
  avatar: profile.avatar,
  rating: profile.rating,
  ratingCount: profile.ratingCount,
  completedRides: profile.completedRides,
  verifiedDriver: profile.licence === 'Accepted',
});

function Unknown() {
  const { t } = useTranslation('contacts');
  return (
    <EmptyState
      icon={<UserRound />}
      title={t('person.unknownTitle')}
      text={t('person.unknownText')}
      action={
        <Link to="/pages/contact/contact" className={buttonLook({ tone: 'quiet', small: true })}>
          {t('person.toContacts')}
        </Link>
      }
    />
  );
}
