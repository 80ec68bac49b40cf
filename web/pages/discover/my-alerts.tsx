import { Link } from '@tanstack/react-router';
import { BellRing } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { listAlerts } from '#contract/alerts/endpoints.ts';
import { useCall } from '../../core/queries.ts';
import { QueryView } from '../../core/query-view.tsx';
import { useSession } from '../../core/use-session.ts';
import { DiscoverFrame } from '../../features/discover/frame.tsx';
import { useReadAlerts } from '../../features/alerts/use-read-alerts.ts';
import { buttonVariants } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/surfaces.tsx';
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
  const { t } = useTranslation('alerts');
  const { signedIn } = useSession();
  const list = useCall(listAlerts, {}, { enabled: signedIn, quiet: true });
  const isNew = useReadAlerts(list.data?.alerts ?? []);
  if (!signedIn)
    return (
      <SignInFirst
        icon={<BellRing />}
        title={t('list.guestTitle')}
        text={t('list.guestText')}
        returnTo="/pages/discover/discover?view=alerts"
      />
    );
  return (
    <QueryView
      query={list}
      failed={t('list.failed')}
      skeleton={{ kind: 'cards' }}
      isEmpty={({ alerts }) => alerts.length === 0}
      empty={<NoAlerts />}
    >
      {(data) => (
        <ul aria-label={t('list.title')} className="flex flex-col gap-3">
          {data.alerts.map((alert) => (
            <li key={alert.id}>
              <AlertCard alert={alert} isNew={isNew} />
            </li>
          ))}
        </ul>
      )}
    </QueryView>
  );
}

function NoAlerts() {
  const { t } = useTranslation('alerts');
  return (
    <EmptyState
      icon={<BellRing />}
      title={t('list.emptyTitle')}
      text={t('list.emptyText')}
      action={
        <Link to="/pages/passenger/passenger" className={buttonVariants({ small: true })}>
          {t('list.findRide')}
        </Link>
      }
    />
  );
}
