import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useConfig } from '../../core/config.ts';
import { errorWords } from '../../core/errors.ts';
import { usePageSearch, usePageTitle } from '../../core/navigation.ts';
import { adminViews } from '../../core/page-search.ts';
import { Audit } from '../../features/admin/audit.tsx';
import { InterruptedRides } from '../../features/admin/interrupted-rides.tsx';
import { Claims } from '../../features/admin/claims.tsx';
import { Feedback } from '../../features/admin/feedback.tsx';
import { Money } from '../../features/admin/money.tsx';
import { Overview } from '../../features/admin/overview.tsx';
import { Reports } from '../../features/admin/reports.tsx';
import { Undelivered } from '../../features/admin/failed-deliveries.tsx';
import { Users } from '../../features/admin/users.tsx';
import { PageLayout } from '../../ui/page-layout.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { ErrorState } from '../../ui/surfaces.tsx';
import { Tabs } from '../../ui/tabs.tsx';

type View = (typeof adminViews)[number];

/** The admin area; `view` chooses the part, `text` is searched for among the users. */
export function Page() {
  const { t } = useTranslation(['admin', 'common']);
  const title = usePageTitle();
  const { view = 'overview', text = '' } = usePageSearch('/pages/admin/admin');
  const navigate = useNavigate();
  const show = (next: View, search: { text?: string } = {}) =>
    void navigate({ to: '/pages/admin/admin', search: { view: next, ...search }, replace: true });
  const { data: config, error, refetch } = useConfig();
  return (
    <PageLayout title={title} back wide>
      {config === undefined && error !== null && (
        <ErrorState
          title={t('common:trouble.title')}
          text={errorWords(error)}
          retryLabel={t('common:retry')}
          onRetry={() => void refetch()}
        />
      )}
      {config === undefined && error === null && <Skeleton label={t('common:loading')} rows={5} />}
      {config !== undefined && (
        <Tabs
          label={t('admin:views.label')}
          tabs={adminViews.map((value) => ({ value, label: t(`admin:views.${value}`) }))}
          value={view}
          onChange={(next) => show(next)}
        >
          {view === 'overview' && <Overview config={config} />}
          {view === 'users' && <Users key={text} timeZone={config.region.timeZone} start={text} />}
          {view === 'feedback' && <Feedback />}
          {view === 'reports' && <Reports onShowUser={(name) => show('users', { text: name })} />}
          {view === 'disputes' && <Claims onShowUser={(name) => show('users', { text: name })} />}
          {view === 'money' && <Money timeZone={config.region.timeZone} />}
          {view === 'broken' && <InterruptedRides onShowUser={(name) => show('users', { text: name })} />}
          {view === 'undelivered' && <Undelivered />}
          {view === 'audit' && <Audit timeZone={config.region.timeZone} />}
        </Tabs>
      )}
    </PageLayout>
  );
}
