import { useTranslation } from 'react-i18next';
import type { Ride } from '#contract/rides/views.ts';

/** A car as it is described at the curb: "blue Toyota Prius". */
export function useVehicleWords(): (
  vehicle: Pick<NonNullable<Ride['vehicle']>, 'brand' | 'model' | 'color'>,
) => string {
  const { t } = useTranslation('rides');
  return ({ brand, model, color }) =>
    t('vehicle.line', { brand, model, color: color === 'other' ? '' : t(`vehicle.color.${color}`) }).trim();
}
