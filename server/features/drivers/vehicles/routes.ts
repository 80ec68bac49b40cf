import * as car from '#contract/vehicles/endpoints.ts';
import type { App } from '../../../app-type.ts';
import type { Serve } from '../../../platform/http/http-server.ts';
import {
  listVehicles,
  createVehicle,
  updateVehicle,
  removeVehicle,
  vehicleBrands,
  vehicleModels,
} from './vehicles.ts';

export function serveVehicles(serve: Serve, app: App): void {
  serve(car.listVehicles, async (_, caller) => ({ vehicles: await listVehicles(app, caller.userId) }), {
    remember: true,
  });
  serve(car.createVehicle, (input, caller) => createVehicle(app, caller.userId, input));
  serve(car.updateVehicle, (input, caller) => updateVehicle(app, caller.userId, input));
  serve(car.deleteVehicle, async (input, caller) => {
    await removeVehicle(app, caller.userId, input.id);
    return {};
  });
  serve(car.listBrands, async (input) => ({ brands: vehicleBrands(input.text) }));
  serve(car.listModels, async (input) => ({ models: vehicleModels(input.brand, input.text) }));
}
