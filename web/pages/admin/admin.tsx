import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { Permission } from '#contract/admin/roles.ts';
import { useConfig } from '../../core/config.ts';
import { usePageSearch, usePageTitle } from '../../core/navigation.ts';
import { adminViews } from '../../core/page-search.ts';
import { QueryView } from '../../core/query-view.tsx';
import { Announcements } from '../../features/admin/announcements.tsx';
import { Audit } from '../../features/admin/audit.tsx';
import { InterruptedRides } from '../../features/admin/interrupted-rides.tsx';
import { Claims } from '../../features/admin/claims.tsx';
import { Connections } from '../../features/admin/connect/connections.tsx';
import { Holds } from '../../features/admin/holds.tsx';
import { Money } from '../../features/admin/money.tsx';
import { Overview } from '../../features/admin/overview.tsx';
import { Undelivered } from '../../features/admin/failed-deliveries.tsx';
import { Settings } from '../../features/admin/settings.tsx';
import { Tickets } from '../../features/admin/tickets/tickets.tsx';
import { useMay } from '../../features/admin/use-may.ts';
import { Users } from '../../features/admin/users.tsx';
import { PageLayout } from '../../ui/page-layout.tsx';
import { Tabs } from '../../ui/tabs.tsx';

type View = (typeof adminViews)[number];

/** The permission for each part; everyone on the team sees the overview. */
const permissionOf: Partial<Record<View, Permission>> = {
  users: 'people.read',
  tickets: 'tickets.read',
  announcements: 'announcements.write',
  disputes: 'disputes.read',
  money: 'money.read',
  holds: 'money.read',
  broken: 'rides.read',
  undelivered: 'deliveries.read',
  audit: 'log.read',
  connect: 'keys.manage',
  settings: 'settings.read',
};

/**
 * The parts of the admin area that the person's role may see; `view` chooses the part, `text` searches the
 * users.
 */
export function Page() {
  const { t } = useTranslation('admin');
  const title = usePageTitle();
  const { text = '', ...search } = usePageSearch('/pages/admin/admin');
  const asked = search.view ?? 'overview';
  const may = useMay();
  const views = adminViews.filter((each) => {
    const permission = permissionOf[each];
    return permission === undefined || may(permission);
  });
  const view = views.includes(asked) ? asked : 'overview';
  const navigate = useNavigate();
  const show = (next: View, shown: { text?: string } = {}) =>
    void navigate({ to: '/pages/admin/admin', search: { view: next, ...shown }, replace: true });
  return (
    <PageLayout title={title} back wide>
      <QueryView query={useConfig()} skeleton={{ rows: 5 }}>
        {(config) => (
          <Tabs
            label={t('views.label')}
            tabs={views.map((value) => ({ value, label: t(`views.${value}`) }))}
            value={view}
            onChange={(next) => show(next)}
          >
            {view === 'overview' && <Overview config={config} />}
            {view === 'users' && <Users key={text} timeZone={config.region.timeZone} start={text} />}
            {view === 'tickets' && (
              <Tickets
                timeZone={config.region.timeZone}
                search={search}
                onShowUser={(name) => show('users', { text: name })}
              />
            )}
            {view === 'announcements' && <Announcements timeZone={config.region.timeZone} />}
            {view === 'disputes' && <Claims onShowUser={(name) => show('users', { text: name })} />}
            {view === 'money' && <Money timeZone={config.region.timeZone} />}
            {view === 'holds' && <Holds />}
            {view === 'broken' && <InterruptedRides onShowUser={(name) => show('users', { text: name })} />}
            {view === 'undelivered' && <Undelivered />}
            {view === 'audit' && <Audit timeZone={config.region.timeZone} />}
            {view === 'connect' && <Connections timeZone={config.region.timeZone} />}
            {view === 'settings' && <Settings timeZone={config.region.timeZone} />}
          </Tabs>
        )}
      </QueryView>
    </PageLayout>
  );
}
