export { createAuthenticate } from './authentication.ts';
export { changeRole, giveRoleByEmail } from './change-role.ts';
export type { RoleGiver } from './change-role.ts';
export { sayOptIn } from './consent.ts';
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
export { accountForDirectory, nameAccount } from './directory-account.ts';
export { enrollOwner } from './enroll-owner.ts';
export { erasure } from './erasure.ts';
export { contactDetailsOf, isWoman, peopleByIds, peopleFrom, peopleWithDetails } from './people.ts';
export type { ContactDetails, PersonRow } from './people.ts';
export { invitationPurpose } from './policy.ts';
export { replacePassword } from './replace-password.ts';
export { emptyAccount } from './rules/empty-account.ts';
export { parsePhone } from './rules/phone.ts';
export { placeOf } from './rules/place.ts';
export { readProfile } from './save-profile.ts';
export { confirmsIdentity } from './second-factor/prove.ts';
export { resetFactors } from './second-factor/reset-factors.ts';
export { sealedFactors } from './second-factor/store.ts';
export { endAllSessions } from './sessions.ts';
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
