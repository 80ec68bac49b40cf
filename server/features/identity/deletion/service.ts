import * as store from './store.ts';

/**
 * Who may find a person, and the steps of deleting an account, in the caller's transaction; the privacy
 * feature decides when.
 */
export const deletion = {
  savePrivacy: store.savePrivacy,
  ask: store.askDeletion,
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
