import * as car from '#contract/vehicles/endpoints.ts';
import type { Serve } from '../../../app-type.ts';
import {
  listVehicles,
  createVehicle,
  updateVehicle,
  removeVehicle,
  vehicleBrands,
  vehicleModels,
} from './vehicles.ts';

export function serveVehicles(serve: Serve): void {
  serve(car.listVehicles, async (app, _, caller) => ({ vehicles: await listVehicles(app, caller.userId) }), {
    remember: true,
  });
  serve(car.createVehicle, (app, input, caller) => createVehicle(app, caller.userId, input));
  serve(car.updateVehicle, (app, input, caller) => updateVehicle(app, caller.userId, input));
  serve(car.deleteVehicle, (app, input, caller) => removeVehicle(app, caller.userId, input.id));
  serve(car.listBrands, async (_app, input) => ({ brands: vehicleBrands(input.text) }));
  serve(car.listModels, async (_app, input) => ({ models: vehicleModels(input.brand, input.text) }));
}
