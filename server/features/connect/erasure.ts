import { erasure as ofDirectory } from './directory/store.ts';
import { erasure as ofKeys } from './keys/store.ts';

/** What becomes of a person's rows in the tables of this feature. */
export const erasure = { ...ofKeys, ...ofDirectory };
