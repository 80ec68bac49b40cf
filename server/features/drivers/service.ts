import type { App } from '../../app-type.ts';
import type { PicturesService } from '../pictures/service.ts';
import { createLicenses } from './licenses/service.ts';
import { erasure as licenseErasure } from './licenses/store.ts';
import { erasure as vehicleErasure } from './vehicles/store.ts';

export type { LicensesService } from './licenses/service.ts';
export { createVehicle, ownVehicle, vehiclesById } from './vehicles/vehicles.ts';
export type DriversService = ReturnType<typeof createDrivers>;

/** What a person needs in order to drive: a license that an admin has reviewed, and vehicles. */
export function createDrivers(platform: App, features: { pictures: PicturesService }) {
  return {
    licenses: createLicenses(platform, features),
    erasure: { ...licenseErasure, ...vehicleErasure },
  };
}
