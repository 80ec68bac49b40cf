import { Link, useNavigate, useRouter } from '@tanstack/react-router';
import { CarFront } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { listVehicles, type Vehicle } from '#contract/vehicles/endpoints.ts';
import { safeReturn, useGoBack, usePageSearch, usePageTitle } from '../../core/navigation.ts';
import { useCall } from '../../core/queries.ts';
import { QueryView } from '../../core/query-view.tsx';
import { DeleteVehicle } from '../../features/vehicles/delete-vehicle.tsx';
import { VehicleForm } from '../../features/vehicles/vehicle-form.tsx';
import { Button, buttonVariants } from '../../ui/button.tsx';
import { PageLayout } from '../../ui/page-layout.tsx';
import { EmptyState } from '../../ui/surfaces.tsx';
import { toast } from '../../ui/toasts.tsx';

/** One vehicle: a new one, or the one named by `id`. Saving goes on where `returnTo` says, else back. */
export function Page() {
  const { t } = useTranslation('vehicles');
  const title = usePageTitle();
  const { id } = usePageSearch('/pages/car/editor');
  const vehicles = useCall(listVehicles, {}, { quiet: true, enabled: id !== undefined });
  if (id === undefined) return <Editor vehicle={null} />;
  const vehicle = vehicles.data?.vehicles.find((each) => each.id === id);
  if (vehicle !== undefined) return <Editor key={id} vehicle={vehicle} />;
  return (
    <PageLayout title={title} back>
      <QueryView query={vehicles} failed={t('list.failed')} skeleton={{ kind: 'form', rows: 5 }}>
        {() => (
          <EmptyState
            icon={<CarFront />}
            title={t('editor.gone')}
            text={t('editor.goneText')}
            action={
              <Link to="/pages/car/car" replace className={buttonVariants({ tone: 'quiet', small: true })}>
                {t('editor.toList')}
              </Link>
            }
          />
        )}
      </QueryView>
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
