import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useConfig } from '../../core/config.ts';
import { usePageSearch, usePageTitle } from '../../core/navigation.ts';
import { adminViews } from '../../core/page-search.ts';
import { QueryView } from '../../core/query-view.tsx';
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
import { Tabs } from '../../ui/tabs.tsx';

type View = (typeof adminViews)[number];

/** The admin area; `view` chooses the part, `text` is searched for among the users. */
export function Page() {
  const { t } = useTranslation('admin');
  const title = usePageTitle();
  const { view = 'overview', text = '' } = usePageSearch('/pages/admin/admin');
  const navigate = useNavigate();
  const show = (next: View, search: { text?: string } = {}) =>
    void navigate({ to: '/pages/admin/admin', search: { view: next, ...search }, replace: true });
  return (
    <PageLayout title={title} back wide>
      <QueryView query={useConfig()} skeleton={{ rows: 5 }}>
        {(config) => (
          <Tabs
            label={t('views.label')}
            tabs={adminViews.map((value) => ({ value, label: t(`views.${value}`) }))}
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
      </QueryView>
    </PageLayout>
  );
}
