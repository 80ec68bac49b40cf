import { Link } from '@tanstack/react-router';
import { CarFront } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { listVehicles } from '#contract/vehicles/endpoints.ts';
import { usePageSearch, usePageTitle } from '../../core/navigation.ts';
import { useCall } from '../../core/queries.ts';
import { QueryView } from '../../core/query-view.tsx';
import { VehicleList } from '../../features/vehicles/vehicle-list.tsx';
import { buttonVariants } from '../../ui/button.tsx';
import { PageLayout } from '../../ui/page-layout.tsx';
import { EmptyState } from '../../ui/surfaces.tsx';

/** Vehicles: the cars I drive. */
export function Page() {
  const { t } = useTranslation('vehicles');
  const { returnTo } = usePageSearch('/pages/car/car');
  const vehicles = useCall(listVehicles, {}, { quiet: true });
  const add = (
    <Link to="/pages/car/editor" search={{ returnTo }} className={buttonVariants({ full: true })}>
      {t('list.add')}
    </Link>
  );
  return (
    <PageLayout title={usePageTitle()} back {...(vehicles.data !== undefined && { action: add })}>
      <QueryView
        query={vehicles}
        failed={t('list.failed')}
        isEmpty={(data) => data.vehicles.length === 0}
        empty={<EmptyState icon={<CarFront />} title={t('list.emptyTitle')} text={t('list.emptyText')} />}
      >
        {(data) => <VehicleList vehicles={data.vehicles} returnTo={returnTo} />}
      </QueryView>
    </PageLayout>
  );
}
