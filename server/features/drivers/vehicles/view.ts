import type { Vehicle } from '#contract/vehicles/endpoints.ts';
import type { VehicleRow } from './store.ts';

export const viewVehicle = ({ id, plate, brand, model, type, year, color, seats }: VehicleRow): Vehicle => ({
  id,
  plate,
  brand,
  model,
  type,
  year,
  color,
  seats,
});
