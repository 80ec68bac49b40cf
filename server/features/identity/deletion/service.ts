import type { Db } from '../../../platform/database/db.ts';
import { holdOwners } from '../store.ts';
import * as store from './store.ts';

/**
 * Who may find a person, and the steps of deleting an account, in the caller's transaction; the privacy
 * feature decides when.
 */
export const deletion = {
  savePrivacy: store.savePrivacy,
  ask: store.askDeletion,
  /** Whether a person is the last owner, whose account cannot be deleted; locks all owners. */
  async isLastOwner(tx: Db, userId: string): Promise<boolean> {
    const owners = await holdOwners(tx);
    return owners.includes(userId) && owners.length === 1;
  },
  undo: store.undoDeletion,
  postpone: store.postponeDeletion,
  /** People whose deletion is due, a few at a time. */
  due: store.dueForDeletion,

  // The erasure: lock the account first, empty it last.
  lockAccount: store.lockAccount,
  eraseCodes: store.eraseCodes,
  eraseSignups: store.eraseSignups,
  emptyAccount: store.emptyOut,
};
