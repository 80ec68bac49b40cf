import { erasure as ofDirectory } from './directory/store.ts';
import { erasure as ofKeys } from './keys/store.ts';

/** Deletes or empties a person's rows in the tables of this feature when their account goes. */
export const erasure = { ...ofKeys, ...ofDirectory };
