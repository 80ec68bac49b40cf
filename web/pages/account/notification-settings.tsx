import { Wifi } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { listAddresses } from '#contract/geo/endpoints.ts';
import { readSettings } from '#contract/notifications/endpoints.ts';
import { useConnectionState } from '../../core/realtime.ts';
import { usePageTitle } from '../../core/navigation.ts';
import { useCall } from '../../core/queries.ts';
import { QueryView } from '../../core/query-view.tsx';
import { NotificationForm } from '../../features/notifications/notification-form.tsx';
import { ThisDevice } from '../../features/notifications/this-device.tsx';
import { PageLayout } from '../../ui/page-layout.tsx';
import { List, ListRow, Section } from '../../ui/surfaces.tsx';

/** Notification settings: what reaches me in the app and outside of it. */
export function Page() {
  const { t } = useTranslation(['people', 'settings']);
  const live = useConnectionState();
  const settings = useCall(readSettings, {}, { quiet: true });
  const { data: addresses } = useCall(listAddresses, {}, { quiet: true });
  const has = (...labels: readonly string[]) =>
    addresses?.shortcuts.some(({ label }) => labels.includes(label)) ?? false;
  return (
    <PageLayout title={usePageTitle()} back>
      <Section title={t('people:notifications.live')}>
        <List>
          <ListRow
            leading={<Wifi aria-hidden className="text-ink-2" />}
            title={t(`people:notifications.${live}`)}
            detail={t('people:notifications.liveText')}
          />
        </List>
      </Section>
      <QueryView query={settings} failed={t('settings:notifications.readFailed')} skeleton={{ rows: 4 }}>
        {(data) => (
          <>
            <ThisDevice push={data.push} />
            <NotificationForm
              key={JSON.stringify(data.choices)}
              settings={data}
              saved={{ home: has('home'), work: has('work'), other: has('other', 'labeled') }}
            />
          </>
        )}
      </QueryView>
    </PageLayout>
  );
}
