import { erasure as ofLicenses } from './licenses/store.ts';
import { erasure as ofVehicles } from './vehicles/store.ts';

export { licenseReviewers } from './licenses/licenses.ts';
export { insertLicense } from './licenses/store.ts';
export { createVehicle, ownVehicle, vehiclesById } from './vehicles/vehicles.ts';

/** Deletes or empties a person's rows in the tables of this feature when their account goes. */
export const erasure = { ...ofLicenses, ...ofVehicles };
