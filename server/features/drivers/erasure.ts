import { erasure as ofLicenses } from './licenses/store.ts';
import { erasure as ofVehicles } from './vehicles/store.ts';

/** Deletes or empties a person's rows in the tables of this feature when their account goes. */
export const erasure = { ...ofLicenses, ...ofVehicles };
