export { erasure } from './erasure.ts';
export { licenseReviewers } from './licenses/licenses.ts';
export { insertLicense } from './licenses/store.ts';
export { createVehicle, ownVehicle, vehiclesById } from './vehicles/vehicles.ts';
