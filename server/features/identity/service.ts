import type { z } from 'zod';
import { keptMs } from '#contract/privacy/retention.ts';
import type * as access from '#contract/access/endpoints.ts';
import type * as user from '#contract/user/endpoints.ts';
import { later } from '../../platform/clock.ts';
import type { CommandPlatform } from '../../platform/command-platform.ts';
import type { Db } from '../../platform/database/db.ts';
import type { Caller } from '../../platform/http/caller.ts';
import type { Origin } from '../../platform/http/origin.ts';
import type { Platform } from '../../platform/platform.ts';
import { newSecret } from '../../platform/security/session.ts';
import { accountName } from './account-name.ts';
import { createBreachedPasswords } from './breached-passwords.ts';
import { changePassword } from './change-password.ts';
import { changeRole } from './change-role.ts';
import { createCodes } from './codes.ts';
import { sayOptIn } from './consent.ts';
import type { IdentityContext, KeysLeftOf } from './context.ts';
import { deletion } from './deletion/service.ts';
import { accountForDirectory, nameAccount } from './directory-account.ts';
import { erasure } from './deletion/store.ts';
import { enrollAccount } from './enroll-account.ts';
import { enrollOwner } from './enroll-owner.ts';
import { createOAuth } from './oauth.ts';
import type { NoteSignInGroups } from './oauth-account.ts';
import { createOAuthProviders } from './oauth-providers.ts';
import { hashPassword } from './password-hash.ts';
import {
  contactDetailsOf,
  peopleByIds,
  peopleFrom,
  peopleWithDetails,
  type ContactDetails,
  type PeopleContext,
} from './people.ts';
import { createPhones } from './phones.ts';
import { refreshSession } from './refresh-session.ts';
import { resetPassword, sendResetCode } from './reset-password.ts';
import { createProfile, readProfile, saveProfile } from './save-profile.ts';
import { endSessions, endSignIn, listSessions, signOut, type AfterCommit } from './sessions.ts';
import { confirmsIdentity } from './second-factor/prove.ts';
import { createSecondFactor } from './second-factor/service.ts';
import * as secondFactors from './second-factor/store.ts';
import { signIn } from './sign-in.ts';
import { resendSignupCode, signUp } from './sign-up.ts';
import * as signIns from './sign-ins/store.ts';
import * as store from './store.ts';
import { verifyEmail } from './verify-email.ts';

export { readProof } from './sign-ins/store.ts';
export { createAuthenticate } from './authentication.ts';
export type { PersonRow } from './people.ts';
export type { ContactDetails } from './people.ts';
export { invitationPurpose } from './policy.ts';
export { emptyAccount } from './rules/empty-account.ts';
export { parsePhone } from './rules/phone.ts';
export { placeOf } from './rules/place.ts';
export { changeRole, giveRoleByEmail } from './change-role.ts';
export type { RoleGiver } from './change-role.ts';
export { resetFactors } from './second-factor/reset-factors.ts';
export { sealedFactors } from './second-factor/store.ts';

type InputTo<E extends { input: z.ZodType }> = z.output<E['input']>;

export type IdentityService = ReturnType<typeof createIdentity>;

/** What features above may read of people. */
interface IdentityUpper {
  licenseStatusOf: store.LicenseStatusOf;
  noteSignInGroups: NoteSignInGroups;
  keysLeft: KeysLeftOf;
}

/** Accounts, sign-in, sessions and profiles. */
export function createIdentity(
  platform: Platform,
  { licenseStatusOf, noteSignInGroups, keysLeft }: IdentityUpper,
) {
  const people = { platform, licenseStatusOf };
  const codes = createCodes(platform);
  const phones = createPhones(platform, codes);
  const breached = createBreachedPasswords(platform.env, platform.log);
  const context = { platform, codes, breached, decoyHash: hashPassword(newSecret()), keysLeft };
  return {
    ...accessVerbs(context, noteSignInGroups),
    ...sessionVerbs(platform),
    ...profileVerbs(people),
    ...personVerbs(people),
    ...accountVerbs(context),
    updatePhone: phones.update,
    verifyPhone: phones.verify,
    secondFactor: createSecondFactor(platform, codes),
    deletion,
    erasure: { ...erasure, ...secondFactors.erasure, ...signIns.erasure },
  };
}

/** Sign-up, sign-in and passwords. */
function accessVerbs(context: IdentityContext, noteSignInGroups: NoteSignInGroups) {
  const { platform } = context;
  const oauth = createOAuth(platform, createOAuthProviders(platform.env), noteSignInGroups);
  return {
    allowedEmailDomains: () => platform.env.ALLOWED_EMAIL_DOMAINS,

    /**
     * Whether an account has this email or phone, if its owner lets others find it by that: otherwise the
     * answer is that of no account. Refuses `access.nameMissing`.
     */
    async checkAccount(input: InputTo<typeof access.checkAccount>): Promise<{ exists: boolean }> {
      const name = accountName(input);
      const person = name === null ? null : await store.findUser(platform.db, name);
      if (name === null || person === null) return { exists: false };
      return { exists: 'email' in name ? person.foundByEmail : person.foundByPhone };
    },

    signup: (input: InputTo<typeof access.signup>, origin: Origin) => signUp(context, input, origin),
    resendCode: (email: string, origin: Origin) => resendSignupCode(context, email, origin),
    verifyEmail: (input: InputTo<typeof access.verifyEmail>, origin: Origin) =>
      verifyEmail(context, input, origin),
    login: (input: InputTo<typeof access.login>, origin: Origin) => signIn(context, input, origin),
    retrievePassword: (input: InputTo<typeof access.retrievePassword>, origin: Origin) =>
      sendResetCode(context, input, origin),
    resetPassword: (input: InputTo<typeof access.retrievePasswordConfirm>, origin: Origin) =>
      resetPassword(context, input, origin),
    changePassword: (caller: Caller, input: InputTo<typeof access.changePassword>) =>
      changePassword(context, caller, input),
    confirmsIdentity: (caller: Caller, password: string) => confirmsIdentity(platform, caller, password),

    oauthProviders: oauth.providers,
    startOAuth: oauth.start,
    loginByOAuth: oauth.login,
    verifyOAuth: oauth.verify,
  };
}

function sessionVerbs(platform: Platform) {
  return {
    refresh: (refreshToken: string, origin: Origin) => refreshSession(platform, refreshToken, origin),
    logout: (caller: Caller) => signOut(platform, caller),
    sessions: (caller: Caller) => listSessions(platform, caller),
    endSession: (caller: Caller, family: string | undefined) => endSignIn(platform, caller, family),
    /** Deletes expired codes, tries, sign-ups, oauth attempts, idempotency keys and sessions. */
    async clearOld(): Promise<void> {
      const now = platform.clock.now();
      await store.clearOld(platform.db, {
        now,
        // As long as a token lasts: while it could be reused, the server must detect that.
        sessionsEnded: later(now, -keptMs('sessions')),
        signupsMade: later(now, -keptMs('signups')),
        keysUsed: later(now, -keptMs('repeats')),
      });
      await secondFactors.clearOld(platform.db, now);
      await signIns.clearOldSignIns(platform.db, later(now, -keptMs('signIns')));
    },
  };
}

/** Profiles, devices and consents. */
function profileVerbs(people: PeopleContext) {
  const { db, transact, outbox } = people.platform;
  return {
    profile: (userId: string) => readProfile(people, userId),
    createProfile: (userId: string, fields: InputTo<typeof user.createUser>) =>
      createProfile(people, userId, fields),
    saveProfile: (caller: Caller, fields: InputTo<typeof user.saveProfile>) =>
      saveProfile(people, caller, fields),

    /** Records the device on launch; one row per browser and screen. */
    async registerDevice(userId: string, device: InputTo<typeof user.registerDevice>): Promise<void> {
      await transact((tx) =>
        store.keepDevice(tx, {
          ...device,
          userId,
          lastLaunchTime: new Date(device.lastLaunchTime),
          createTime: new Date(device.createTime),
        }),
      );
    },

    async changeContactType(userId: string, prefer: ContactDetails['preferContactWith']): Promise<void> {
      await transact(async (tx) => {
        await store.updateUser(tx, userId, { preferContactWith: prefer });
        await outbox.emit(tx, 'profile.changed', { userId }, userId);
      });
    },

    /** What a person agreed to, the latest consent for each document. */
    consents: (userId: string) => store.latestConsents(db, userId),
    sayOptIn,

    /** Sets the address of a person's profile photo, in the caller's transaction; empty for none. */
    setAvatar: store.setAvatar,
  };
}

/** What other features read of people, and count for them. */
function personVerbs(context: PeopleContext) {
  const { db } = context.platform;
  return {
    people: (ids: readonly string[]) => peopleByIds(context, ids),
    contactDetails: (ids: readonly string[]) => contactDetailsOf(context, ids),
    peopleWithDetails: (ids: readonly string[]) => peopleWithDetails(context, ids),
    /** The same from rows of `peopleAsJson`. */
    peopleFrom,

    /** Whether a person's own profile says female. */
    isWoman: async (userId: string): Promise<boolean> =>
      (await store.findUserById(db, userId))?.gender === 'female',

    /** Counts a finished ride and the meters ridden together, in the caller's transaction. */
    countRide: (tx: Db, userId: string, sharedMetres: number) => store.addRide(tx, userId, sharedMetres),
    /** Adds a published review's 1 to 5 stars to a person's rating, in the caller's transaction. */
    countStars: (tx: Db, userId: string, stars: number) => store.addStars(tx, userId, stars),
  };
}

/** How accounts are suspended: for commands of the operator, too. */
export const suspensions = (platform: Pick<CommandPlatform, 'clock' | 'realtime' | 'responseCache'>) => ({
  /**
   * Suspends an account, in the caller's transaction; null when it is already suspended, of the staff, or
   * gone.
   */
  suspend: store.suspend,
  /** Ends a suspension, in the caller's transaction; null when there is none. */
  unsuspend: store.unsuspend,
  /** Ends every session of a person, in the caller's transaction. */
  endAllSessions: (tx: Db, userId: string, afterCommit: AfterCommit) =>
    endSessions(platform, tx, { userId }, afterCommit),
});

/** Commands of the operator and the demo community on accounts. */
function accountVerbs(context: IdentityContext) {
  const { platform } = context;
  const { db, clock, transact } = platform;
  return {
    ...suspensions(platform),
    changeRole,
    accountForDirectory: (tx: Db, account: Parameters<typeof accountForDirectory>[2]) =>
      accountForDirectory(platform, tx, account),
    nameAccount: (tx: Db, userId: string, names: Parameters<typeof nameAccount>[3]) =>
      nameAccount(platform, tx, userId, names),

    enrollOwner: (owner: Parameters<typeof enrollOwner>[1]) => enrollOwner(context, owner),
    enrol: (account: Parameters<typeof enrollAccount>[1]) => enrollAccount(platform, account),
    /** Inserts accounts as given, with past dates: for the demo community. */
    importAccounts: (rows: store.NewUser[]) => store.insertAccounts(db, rows),
    /**
     * Deletes accounts and the rows that refer to them, in the caller's transaction: for an incomplete demo
     * community.
     */
    removeAccounts: store.removeAccounts,

    /**
     * Sets the password of the account with an email and ends its sessions, which began with the former one.
     * Call before the server listens: open pages are not notified.
     */
    async replacePassword(email: string, passwordHash: string): Promise<void> {
      await transact(async (tx) => {
        const userId = await store.replacePassword(tx, email, passwordHash);
        if (userId !== null) await store.endSessions(tx, { userId }, clock.now());
      });
    },
  };
}
