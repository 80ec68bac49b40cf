import * as store from './store.ts';

/**
 * Who may find a person, and the deletion of their account, step by step in the caller's transaction; privacy
 * decides when.
 */
export const deletion = {
  savePrivacy: store.savePrivacy,
  ask: store.askDeletion,
  undo: store.undoDeletion,
  postpone: store.postponeDeletion,
  /** People whose day has come, the first few. */
  due: store.dueForDeletion,

  // The erasure itself: the account is locked first and emptied last.
  lockAccount: store.lockAccount,
  eraseCodes: store.eraseCodes,
  eraseSignups: store.eraseSignups,
  emptyAccount: store.emptyOut,
};
