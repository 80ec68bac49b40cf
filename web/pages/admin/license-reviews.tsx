import { IdCard } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { waitingLicenses } from '#contract/licenses/endpoints.ts';
import { usePageTitle } from '../../core/navigation.ts';
import { useCall } from '../../core/queries.ts';
import { QueryView } from '../../core/query-view.tsx';
import { WaitingLicenseCard } from '../../features/admin/waiting-license.tsx';
import { PageLayout } from '../../ui/page-layout.tsx';
import { EmptyState } from '../../ui/surfaces.tsx';

/** The addresses of the photos end after some minutes: the queue is read again before they do. */
const readAgainMs = 4 * 60_000;

/** Driver licenses that wait for an admin, the one that waits longest first. */
export function Page() {
  const { t } = useTranslation('admin');
  const waiting = useCall(waitingLicenses, {}, { quiet: true, refetchInterval: readAgainMs });
  return (
    <PageLayout title={usePageTitle()} back wide>
      <QueryView
        query={waiting}
        failed={t('failed')}
        skeleton={{ kind: 'cards', rows: 2 }}
        isEmpty={({ total }) => total === 0}
        empty={
          <EmptyState icon={<IdCard />} title={t('licenses.emptyTitle')} text={t('licenses.emptyText')} />
        }
      >
        {({ total, licenses }) => (
          <>
            <output className="block text-body text-ink-2">{t('licenses.waiting', { count: total })}</output>
            <ul aria-label={t('licenses.list')} className="flex flex-col gap-4">
              {licenses.map((license) => (
                <li key={license.id}>
                  <WaitingLicenseCard license={license} />
                </li>
              ))}
            </ul>
          </>
        )}
      </QueryView>
    </PageLayout>
  );
}
