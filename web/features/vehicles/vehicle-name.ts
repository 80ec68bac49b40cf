import { useTranslation } from 'react-i18next';
import type { Vehicle } from '#contract/vehicles/endpoints.ts';

/** How a vehicle is called in lists: "Toyota Prius", and the line under it. */
export function useVehicleWords(): {
  name: (vehicle: Vehicle) => string;
  detail: (vehicle: Vehicle) => string;
} {
  const { t } = useTranslation('vehicles');
  return {
    name: ({ brand, model }) => `${brand} ${model}`,
    detail: ({ color, type, year, seats }) =>
      [t(`colors.${color}`), t(`types.${type}`), year, t('list.seats', { count: seats })].join(' · '),
  };
}
