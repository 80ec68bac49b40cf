import { Link } from '@tanstack/react-router';
import { CarFront } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { listVehicles } from '#contract/vehicles/endpoints.ts';
import { errorWords } from '../../core/errors.ts';
import { usePageSearch, usePageTitle } from '../../core/navigation.ts';
import { useCall } from '../../core/queries.ts';
import { VehicleList } from '../../features/vehicles/vehicle-list.tsx';
import { buttonVariants } from '../../ui/button.tsx';
import { PageLayout } from '../../ui/page-layout.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { EmptyState, ErrorState } from '../../ui/surfaces.tsx';

/** Vehicles: the cars I drive. */
export function Page() {
  const { t } = useTranslation(['vehicles', 'common']);
  const { returnTo } = usePageSearch('/pages/car/car');
  const { data, error, refetch } = useCall(listVehicles, {}, { quiet: true });
  const vehicles = data?.vehicles;
  const add = (
    <Link to="/pages/car/editor" search={{ returnTo }} className={buttonVariants({ full: true })}>
      {t('vehicles:list.add')}
    </Link>
  );
  return (
    <PageLayout title={usePageTitle()} back {...(vehicles !== undefined && { action: add })}>
      {vehicles === undefined && error !== null && (
        <ErrorState
          title={t('vehicles:list.failed')}
          text={errorWords(error)}
          retryLabel={t('common:retry')}
          onRetry={() => void refetch()}
        />
      )}
      {vehicles === undefined && error === null && <Skeleton label={t('common:loading')} />}
      {vehicles?.length === 0 && (
        <EmptyState
          icon={<CarFront />}
          title={t('vehicles:list.emptyTitle')}
          text={t('vehicles:list.emptyText')}
        />
      )}
      {vehicles !== undefined && vehicles.length > 0 && (
        <VehicleList vehicles={vehicles} returnTo={returnTo} />
      )}
    </PageLayout>
  );
}
