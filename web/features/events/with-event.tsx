import { Link } from '@tanstack/react-router';
import { CalendarX } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { eventDetail, type EventDetail } from '#contract/events/endpoints.ts';
import { usePageSearch, usePageTitle } from '../../core/navigation.ts';
import { useCall } from '../../core/queries.ts';
import { QueryView } from '../../core/query-view.tsx';
import { buttonVariants } from '../../ui/button.tsx';
import { PageLayout } from '../../ui/page-layout.tsx';
import { EmptyState } from '../../ui/surfaces.tsx';

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
  const { t } = useTranslation('events');
  const title = usePageTitle();
  const { id = '', token } = usePageSearch('/pages/events/events');
  const event = useCall(eventDetail, token === undefined ? { id } : { id, token }, {
    enabled: id !== '',
    quiet: true,
  });
  // An event that is there draws the whole page, with its own title.
  if (event.data) return children(event.data);
  return (
    <PageLayout title={title} back={back}>
      <QueryView
        query={event}
        failed={t('failed')}
        skeleton={{ kind: 'detail' }}
        isMissing={id === ''}
        missing={<NoEvent />}
      >
        {children}
      </QueryView>
    </PageLayout>
  );
}

function NoEvent() {
  const { t } = useTranslation('events');
  return (
    <EmptyState
      icon={<CalendarX />}
      title={t('missing')}
      text={t('missingText')}
      action={
        <Link to="/pages/events/events" className={buttonVariants({ small: true })}>
          {t('showAll')}
        </Link>
      }
    />
  );
}

/** What pages about an event are opened with: its id, and the secret of its link. */
export const queryOfEvent = ({ id, token }: Pick<EventDetail, 'id' | 'token'>) =>
  token === '' ? { id } : { id, token };
