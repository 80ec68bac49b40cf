import { Link } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { listVehicles, type Vehicle } from '#contract/vehicles/endpoints.ts';
import { useCall } from '../../core/queries.ts';
import { buttonVariants } from '../../ui/button.tsx';
import { RadioList } from '../../ui/choices.tsx';
import { Field } from '../../ui/field.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { ErrorState } from '../../ui/surfaces.tsx';

/**
 * My vehicles, and which of them drives: the chosen one, or the first while none is chosen. `isLoading` until
 * they are read: nothing can be said of the vehicle of a ride before, and nothing be saved.
 */
export function useOwnVehicles(chosenId: string | null, enabled = true) {
  const query = useCall(listVehicles, {}, { enabled });
  const vehicles = query.data?.vehicles ?? [];
  const chosen = vehicles.find(({ id }) => id === chosenId) ?? vehicles[0] ?? null;
  return { query, vehicles, chosen, isLoading: query.isLoading };
}

const named = ({ brand, model, year }: Vehicle) => `${brand} ${model} ${year}`;

/** Which car drives; a way to add one, which comes back here. */
export function VehicleField({
  own,
  error,
  onChange,
}: {
  own: ReturnType<typeof useOwnVehicles>;
  error: string | undefined;
  onChange: (vehicleId: string) => void;
}) {
  const { t } = useTranslation(['planning', 'common']);
  const { query, vehicles, chosen } = own;
  return (
    <div id="field-vehicleId">
      <Field label={t('planning:vehicle.label')} error={error}>
        {query.isPending ? (
          <Skeleton label={t('common:loading')} rows={1} />
        ) : query.error ? (
          <ErrorState
            title={t('planning:vehicle.failed')}
            retryLabel={t('common:retry')}
            onRetry={() => void query.refetch()}
          />
        ) : (
          <>
            {vehicles.length === 0 ? (
              <p className="pb-2 text-body text-ink-2">{t('planning:vehicle.none')}</p>
            ) : (
              <RadioList
                value={chosen?.id ?? null}
                options={vehicles.map((vehicle) => ({
                  value: vehicle.id,
                  label: named(vehicle),
                  detail: t('planning:vehicle.detail', { plate: vehicle.plate, count: vehicle.seats }),
                }))}
                onChange={onChange}
              />
            )}
            <Link
              to="/pages/car/editor"
              className={
                vehicles.length === 0
                  ? buttonVariants({ tone: 'quiet', full: true })
                  : 'inline-flex min-h-11 items-center gap-1.5 self-start font-semibold text-brand-ink underline-offset-4 hover:underline'
              }
            >
              <Plus aria-hidden className="size-5" />
              {t('planning:vehicle.add')}
            </Link>
          </>
        )}
      </Field>
    </div>
  );
}
