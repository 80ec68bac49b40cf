import { Link } from '@tanstack/react-router';
import { BellRing } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { listAlerts } from '#contract/alerts/endpoints.ts';
import { errorWords } from '../../core/errors.ts';
import { useCall } from '../../core/queries.ts';
import { useSession } from '../../core/session.ts';
import { DiscoverFrame } from '../../features/discover/frame.tsx';
import { useReadAlerts } from '../../features/alerts/use-read-alerts.ts';
import { buttonVariants } from '../../ui/button.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { EmptyState, ErrorState } from '../../ui/surfaces.tsx';
import { AlertCard } from './alert-card.tsx';
import { SignInFirst } from './sign-in-first.tsx';

/** What I wait for, and what has come of it. */
export function MyAlerts({ unreadAlerts }: { unreadAlerts: number }) {
  return (
    <DiscoverFrame unreadAlerts={unreadAlerts}>
      <Alerts />
    </DiscoverFrame>
  );
}

function Alerts() {
  const { t } = useTranslation(['alerts', 'common']);
  const { signedIn } = useSession();
  const { data, error, refetch } = useCall(listAlerts, {}, { enabled: signedIn, quiet: true });
  const isNew = useReadAlerts(data?.alerts ?? []);
  if (!signedIn)
    return (
      <SignInFirst
        icon={<BellRing />}
        title={t('alerts:list.guestTitle')}
        text={t('alerts:list.guestText')}
        returnTo="/pages/discover/discover?view=alerts"
      />
    );
  if (data === undefined)
    return error === null ? (
      <Skeleton label={t('common:loading')} kind="cards" />
    ) : (
      <ErrorState
        title={t('alerts:list.failed')}
        text={errorWords(error)}
        retryLabel={t('common:retry')}
        onRetry={() => void refetch()}
      />
    );
  if (data.alerts.length === 0)
    return (
      <EmptyState
        icon={<BellRing />}
        title={t('alerts:list.emptyTitle')}
        text={t('alerts:list.emptyText')}
        action={
          <Link to="/pages/passenger/passenger" className={buttonVariants({ small: true })}>
            {t('alerts:list.findRide')}
          </Link>
        }
      />
    );
  return (
    <ul aria-label={t('alerts:list.title')} className="flex flex-col gap-3">
      {data.alerts.map((alert) => (
        <li key={alert.id}>
          <AlertCard alert={alert} isNew={isNew} />
        </li>
      ))}
    </ul>
  );
}
