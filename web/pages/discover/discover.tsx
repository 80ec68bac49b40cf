import { Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { listAlerts } from '#contract/alerts/endpoints.ts';
import { lazyPart } from '../../core/lazy-part.ts';
import { useCall } from '../../core/queries.ts';
import { useSession } from '../../core/use-session.ts';
import { DiscoverFrame, useDiscoverQuery } from '../../features/discover/frame.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { Around } from './around.tsx';

const OtherView = lazyPart(async () => (await import('./other-views.tsx')).OtherView, ['discover', 'rides']);

/** Discover: who is around, commutes that many travel, people with my commute, and what I wait for. */
export function Page() {
  const { t } = useTranslation('common');
  const { view } = useDiscoverQuery();
  const { signedIn } = useSession();
  const { data } = useCall(listAlerts, {}, { enabled: signedIn, quiet: true });
  const unread = signedIn ? (data?.unread ?? 0) : 0;
  if (view === 'around') return <Around unreadAlerts={unread} />;
  // The frame shows the chosen part at once.
  const opening = (
    <DiscoverFrame unreadAlerts={unread} hasMap={false}>
      <Skeleton label={t('loading')} kind="cards" />
    </DiscoverFrame>
  );
  return (
    <Suspense fallback={opening}>
      <OtherView view={view} unreadAlerts={unread} />
    </Suspense>
  );
}
