import { IdCard } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { waitingLicenses } from '#contract/licenses/endpoints.ts';
import { errorWords } from '../../core/errors.ts';
import { usePageTitle } from '../../core/navigation.ts';
import { useCall } from '../../core/queries.ts';
import { WaitingLicenseCard } from '../../features/admin/waiting-license.tsx';
import { PageLayout } from '../../ui/page-layout.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { EmptyState, ErrorState } from '../../ui/surfaces.tsx';

/** The addresses of the photos end after some minutes: the queue is read again before they do. */
const readAgainMs = 4 * 60_000;

/** Driver licenses that wait for an admin, the one that waits longest first. */
export function Page() {
  const { t } = useTranslation(['admin', 'common']);
  const { data, error, refetch } = useCall(
    waitingLicenses,
    {},
    { quiet: true, refetchInterval: readAgainMs },
  );
  return (
    <PageLayout title={usePageTitle()} back wide>
      {data === undefined && error !== null && (
        <ErrorState
          title={t('admin:failed')}
          text={errorWords(error)}
          retryLabel={t('common:retry')}
          onRetry={() => void refetch()}
        />
      )}
      {data === undefined && error === null && <Skeleton label={t('common:loading')} rows={2} kind="cards" />}
      {data?.total === 0 && (
        <EmptyState
          icon={<IdCard />}
          title={t('admin:licenses.emptyTitle')}
          text={t('admin:licenses.emptyText')}
        />
      )}
      {data !== undefined && data.total > 0 && (
        <>
          <output className="block text-body text-ink-2">
            {t('admin:licenses.waiting', { count: data.total })}
          </output>
          <ul aria-label={t('admin:licenses.list')} className="flex flex-col gap-4">
            {data.licences.map((license) => (
              <li key={license.id}>
                <WaitingLicenseCard license={license} />
              </li>
            ))}
          </ul>
        </>
      )}
    </PageLayout>
  );
}
