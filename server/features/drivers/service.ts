export { erasure } from './erasure.ts';
export { licenseReviewers } from './licenses/list-waiting.ts';
export { insertLicense } from './licenses/store.ts';
export { createVehicle, ownVehicle, vehiclesById } from './vehicles/vehicles.ts';
