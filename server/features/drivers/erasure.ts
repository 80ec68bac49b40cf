import { erasure as ofLicenses } from './licenses/store.ts';
import { erasure as ofVehicles } from './vehicles/store.ts';

/** What becomes of a person's rows in the tables of this feature. */
export const erasure = { ...ofLicenses, ...ofVehicles };
