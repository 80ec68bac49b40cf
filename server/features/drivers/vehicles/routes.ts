import * as car from '#contract/vehicles/endpoints.ts';
import type { Serve } from '../../../platform/http/http-server.ts';
import type { VehiclesService } from './service.ts';

export function serveVehicles(serve: Serve, vehicles: VehiclesService): void {
  serve(car.listVehicles, async (_, caller) => ({ vehicles: await vehicles.list(caller.userId) }), {
    remember: true,
  });
  serve(car.createVehicle, (input, caller) => vehicles.create(caller.userId, input));
  serve(car.updateVehicle, (input, caller) => vehicles.update(caller.userId, input));
  serve(car.deleteVehicle, async (input, caller) => {
    await vehicles.remove(caller.userId, input.id);
    return {};
  });
  serve(car.listBrands, async (input) => ({ brands: vehicles.brands(input.text) }));
  serve(car.listModels, async (input) => ({ models: vehicles.models(input.brand, input.text) }));
}
