import { erasure as ofAccounts } from './deletion/store.ts';
import { erasure as ofSecondFactors } from './second-factor/store.ts';
import { erasure as ofSignIns } from './sign-ins/store.ts';

/** Deletes or empties a person's rows in the tables of this feature when their account goes. */
export const erasure = { ...ofAccounts, ...ofSecondFactors, ...ofSignIns };
