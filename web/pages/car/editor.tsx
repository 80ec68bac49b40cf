import { Link, useNavigate, useRouter } from '@tanstack/react-router';
import { CarFront } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { listVehicles, type Vehicle } from '#contract/vehicles/endpoints.ts';
import { errorWords } from '../../core/errors.ts';
import { safeReturn, useGoBack, usePageSearch, usePageTitle } from '../../core/navigation.ts';
import { useCall } from '../../core/queries.ts';
import { DeleteVehicle } from '../../features/vehicles/delete-vehicle.tsx';
import { VehicleForm } from '../../features/vehicles/vehicle-form.tsx';
import { Button, buttonVariants } from '../../ui/button.tsx';
import { PageLayout } from '../../ui/page-layout.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { EmptyState, ErrorState } from '../../ui/surfaces.tsx';
import { toast } from '../../ui/toasts.tsx';

/** One vehicle: a new one, or the one named by `id`. Saving goes on where `returnTo` says, else back. */
export function Page() {
  const { t } = useTranslation(['vehicles', 'common']);
  const title = usePageTitle();
  const { id } = usePageSearch('/pages/car/editor');
  const { data, error, refetch } = useCall(listVehicles, {}, { quiet: true, enabled: id !== undefined });
  if (id === undefined) return <Editor vehicle={null} />;
  const vehicle = data?.vehicles.find((each) => each.id === id);
  if (vehicle !== undefined) return <Editor key={id} vehicle={vehicle} />;
  return (
    <PageLayout title={title} back>
      {data !== undefined && (
        <EmptyState
          icon={<CarFront />}
          title={t('vehicles:editor.gone')}
          text={t('vehicles:editor.goneText')}
          action={
            <Link to="/pages/car/car" replace className={buttonVariants({ tone: 'quiet', small: true })}>
              {t('vehicles:editor.toList')}
            </Link>
          }
        />
      )}
      {data === undefined && error !== null && (
        <ErrorState
          title={t('vehicles:list.failed')}
          text={errorWords(error)}
          retryLabel={t('common:retry')}
          onRetry={() => void refetch()}
        />
      )}
      {data === undefined && error === null && <Skeleton label={t('common:loading')} rows={5} kind="form" />}
    </PageLayout>
  );
}

const formId = 'vehicle';

function Editor({ vehicle }: { vehicle: Vehicle | null }) {
  const { t } = useTranslation('vehicles');
  const title = usePageTitle();
  const { returnTo } = usePageSearch('/pages/car/editor');
  const navigate = useNavigate();
  const router = useRouter();
  const goBack = useGoBack();
  const [busy, setBusy] = useState(false);
  const leave = (words: string) => {
    toast.done(words);
    if (returnTo === undefined) goBack();
    else router.history.replace(safeReturn(returnTo));
  };
  return (
    <PageLayout
      title={vehicle === null ? t('editor.newTitle') : title}
      back
      action={
        <Button type="submit" form={formId} full busy={busy}>
          {t('editor.save')}
        </Button>
      }
    >
      <VehicleForm
        id={formId}
        vehicle={vehicle}
        onBusy={setBusy}
        onSaved={() => leave(t('editor.saved'))}
        onPick={(what) => void navigate({ to: `/pages/car/${what}`, search: { id: vehicle?.id, returnTo } })}
      />
      {vehicle !== null && <DeleteVehicle vehicle={vehicle} onDeleted={() => leave(t('editor.deleted'))} />}
    </PageLayout>
  );
}
