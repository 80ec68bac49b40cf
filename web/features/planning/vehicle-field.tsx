import { Link } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { listVehicles, type Vehicle } from '#contract/vehicles/endpoints.ts';
import { useCall } from '../../core/queries.ts';
import { QueryView } from '../../core/query-view.tsx';
import { buttonVariants } from '../../ui/button.tsx';
import { RadioList } from '../../ui/choices.tsx';
import { Field } from '../../ui/field.tsx';

/**
 * My vehicles, and which of them drives: the chosen one, or the first while none is chosen. `isLoading` until
 * they are read: nothing can be said of the vehicle of a ride before, and nothing be saved.
 */
export function useOwnVehicles(chosenId: string | null, enabled = true) {
  const query = useCall(listVehicles, {}, { enabled, quiet: false });
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
  const { t } = useTranslation('planning');
  const { query, vehicles, chosen } = own;
  return (
    <div id="field-vehicleId">
      <Field label={t('vehicle.label')} error={error}>
        <QueryView query={query} failed={t('vehicle.failed')} skeleton={{ rows: 1 }}>
          {() => (
            <>
              {vehicles.length === 0 ? (
                <p className="pb-2 text-body text-ink-2">{t('vehicle.none')}</p>
              ) : (
                <RadioList
                  value={chosen?.id ?? null}
                  options={vehicles.map((vehicle) => ({
                    value: vehicle.id,
                    label: named(vehicle),
                    detail: t('vehicle.detail', { plate: vehicle.plate, count: vehicle.seats }),
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
                {t('vehicle.add')}
              </Link>
            </>
          )}
        </QueryView>
      </Field>
    </div>
  );
}
