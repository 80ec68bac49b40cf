import { latestLicense, saveLicense, saveVerdict, waitingLicenses } from '#contract/licenses/endpoints.ts';
import * as car from '#contract/vehicles/endpoints.ts';
import type { Serve } from '../../app-type.ts';
import { decideLicense, readLicense, sendLicense, listWaiting } from './licenses/licenses.ts';
import {
  listVehicles,
  createVehicle,
  updateVehicle,
  removeVehicle,
  vehicleBrands,
  vehicleModels,
} from './vehicles/vehicles.ts';

export function serveDrivers(serve: Serve): void {
  serveLicenses(serve);
  serveVehicles(serve);
}

function serveLicenses(serve: Serve): void {
  serve(latestLicense, async (app, _, caller) => ({ license: await readLicense(app, caller.userId) }));
  serve(saveLicense, async (app, input, caller) => ({
    license: await sendLicense(app, caller.userId, input),
  }));
  serve(waitingLicenses, (app, _, caller) => listWaiting(app, caller.userId));
  serve(saveVerdict, (app, input, caller) => decideLicense(app, caller.userId, input));
}

function serveVehicles(serve: Serve): void {
  serve(car.listVehicles, async (app, _, caller) => ({ vehicles: await listVehicles(app, caller.userId) }));
  serve(car.createVehicle, (app, input, caller) => createVehicle(app, caller.userId, input));
  serve(car.updateVehicle, (app, input, caller) => updateVehicle(app, caller.userId, input));
  serve(car.deleteVehicle, (app, input, caller) => removeVehicle(app, caller.userId, input.id));
  serve(car.listBrands, async (_app, input) => ({ brands: vehicleBrands(input.text) }));
  serve(car.listModels, async (_app, input) => ({ models: vehicleModels(input.brand, input.text) }));
}
