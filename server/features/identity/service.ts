import { erasure as ofAccounts } from './deletion/store.ts';
import { erasure as ofSecondFactors } from './second-factor/store.ts';
import { erasure as ofSignIns } from './sign-ins/store.ts';

export { createAuthenticate, endAllSessions } from './sessions.ts';
export { changeRole, giveRoleByEmail } from './change-role.ts';
export type { RoleGiver } from './change-role.ts';
export { sayOptIn } from './verify-email.ts';
export {
  cancelDeletion,
  dueForDeletion,
  emptyOut,
  eraseCodes,
  eraseSignups,
  lockAccount,
  lockForDeletion,
  postponeDeletion,
  savePrivacy,
  scheduleDeletion,
} from './deletion/store.ts';
export { accountForDirectory, nameAccount, enrollOwner } from './enroll-account.ts';
export { contactDetailsOf, isWoman, peopleByIds, peopleFrom, peopleWithDetails } from './people.ts';
export type { ContactDetails, PersonRow } from './people.ts';
export { invitationPurpose } from './policy.ts';
export { replacePassword } from './change-password.ts';
export { emptyAccount } from './rules/empty-account.ts';
export { parsePhone } from './rules/phone.ts';
export { placeOf } from './rules/place.ts';
export { readProfile } from './save-profile.ts';
export { confirmsIdentity } from './second-factor/prove.ts';
export { resetFactors } from './second-factor/change-factors.ts';
export { sealedFactors } from './second-factor/store.ts';
export { readProof } from './sign-ins/store.ts';
export { openIdentity } from './state.ts';
export {
  countRide,
  countStars,
  insertAccounts,
  isLastOwner,
  latestConsents,
  removeAccounts,
  setAvatar,
  suspendAccount,
  unsuspendAccount,
} from './store.ts';

/** Deletes or empties a person's rows in the tables of this feature when their account goes. */
export const erasure = { ...ofAccounts, ...ofSecondFactors, ...ofSignIns };
