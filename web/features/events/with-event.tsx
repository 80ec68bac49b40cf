import { Link } from '@tanstack/react-router';
import { CalendarX } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { eventDetail, type EventDetail } from '#contract/events/endpoints.ts';
import { errorWords, Refused } from '../../core/errors.ts';
import { usePageSearch, usePageTitle } from '../../core/navigation.ts';
import { useCall } from '../../core/queries.ts';
import { buttonVariants } from '../../ui/button.tsx';
import { PageLayout } from '../../ui/page-layout.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { EmptyState, ErrorState } from '../../ui/surfaces.tsx';

/**
 * The event that the page's address names, with the secret of its link where it has one; else what there is
 * instead.
 */
export function WithEvent({
  back = true,
  children,
}: {
  back?: boolean | (() => void);
  children: (event: EventDetail) => ReactNode;
}) {
  const { t } = useTranslation(['events', 'common']);
  const title = usePageTitle();
  const { id = '', token } = usePageSearch('/pages/events/events');
  const {
    data: event,
    error,
    refetch,
  } = useCall(eventDetail, token === undefined ? { id } : { id, token }, { enabled: id !== '', quiet: true });
  if (event) return children(event);
  return (
    <PageLayout title={title} back={back}>
      {id === '' || error instanceof Refused ? (
        <EmptyState
          icon={<CalendarX />}
          title={t('events:missing')}
          text={t('events:missingText')}
          action={
            <Link to="/pages/events/events" className={buttonVariants({ small: true })}>
              {t('events:showAll')}
            </Link>
          }
        />
      ) : error ? (
        <ErrorState
          title={t('events:failed')}
          text={errorWords(error)}
          retryLabel={t('common:retry')}
          onRetry={() => void refetch()}
        />
      ) : (
        <Skeleton label={t('common:loading')} kind="detail" />
      )}
    </PageLayout>
  );
}

/** What pages about an event are opened with: its id, and the secret of its link. */
export const queryOfEvent = ({ id, token }: Pick<EventDetail, 'id' | 'token'>) =>
  token === '' ? { id } : { id, token };
