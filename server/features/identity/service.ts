import { randomUUID } from 'node:crypto';
import type { z } from 'zod';
import type * as access from '#contract/access/endpoints.ts';
import type { SessionUser } from '#contract/access/endpoints.ts';
import type * as user from '#contract/user/endpoints.ts';
import type { Person, Profile } from '#contract/user/endpoints.ts';
import type { Platform } from '../../platform/platform.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { dayMs, hourMs, later } from '../../platform/clock.ts';
import { brokenConstraint, type Db } from '../../platform/database/db.ts';
import type { Origin } from '../../platform/http/origin.ts';
import { forgetTries } from '../../platform/http/tries.ts';
import { noSession, refuseField, Refusal } from '../../platform/refusal.ts';
import { hashSecret, newSecret } from '../../platform/security/session.ts';
import { codeExpired, createCodes } from './codes.ts';
import { agreeToTerms, sayOptIn } from './consent.ts';
import { deletion } from './deletion/service.ts';
import { erasure } from './deletion/store.ts';
import { createOAuth } from './oauth.ts';
import { createOAuthProviders } from './oauth-providers.ts';
import { createPhones, noPhone, phoneNeedsCode, phoneOf, phoneTaken } from './phones.ts';
import { noteDeed } from '../../platform/security/audit-log.ts';
import { domainNotAllowed, maySignUp, tryLimits } from './policy.ts';
import { resendAfterSeconds } from './rules/code.ts';
import { hashPassword, isPassword } from './password-hash.ts';
import type { Language } from '../../platform/messages/translate.ts';
import { passwordChangedEmail, resetEmail, signupEmail } from './rules/emails.ts';
import { resetSms } from './rules/sms.ts';
import { isCommonPassword } from './rules/password.ts';
import { parsePhone } from './rules/phone.ts';
import { createSessions } from './sessions.ts';
import * as store from './store.ts';
import { viewPerson, viewProfile } from './view.ts';

export { createAuthenticate } from './authentication.ts';
export { emptyAccount } from './rules/empty-account.ts';
export { parsePhone } from './rules/phone.ts';

type InputTo<E extends { input: z.ZodType }> = z.output<E['input']>;

/** A sign-up that nobody finished is forgotten after a day. */
const signupLifeMs = dayMs;

/** Of the sealed code that an invitation link carries: whoever signs up with it names its maker as their inviter. */
export const invitationPurpose = 'invitation';

/** So many sign-ups of one address wait at once. */
const mostSignups = 5;
/** What the browser that signed up keeps of it. */
const signupCookie = 'sameway-signup';

/** Whose the code of a sign-up is: its own alone. */
const codeOfSignup = ({ email, id }: Pick<store.SignupRow, 'email' | 'id'>): string => `${email}:${id}`;

const ownSignup = (signups: readonly store.SignupRow[], origin: Origin): store.SignupRow | null => {
  const secret = origin.cookies.read(signupCookie);
  const hash = secret === '' ? '' : hashSecret(secret);
  return signups.find(({ secretHash }) => secretHash !== '' && secretHash === hash) ?? null;
};

export type IdentityService = ReturnType<typeof createIdentity>;

/** How another feature, or the person themselves, may reach somebody. */
export interface ContactDetails {
  /** E.164, or empty. */
  phone: string;
  /** Whether the number has been proved to be theirs. */
  phoneVerified: boolean;
  /** Who may read the number. */
  phoneSeenBy: 'nobody' | 'joined' | 'contacts';
  email: string;
  preferContactWith: 'phone' | 'email' | 'chat';
  language: Language;
}

/** Accounts, sign-in, sessions and profiles. */
export function createIdentity(platform: Platform) {
  const { env, clock, db, transact, outbox, tries, signedTokens } = platform;
  const codes = createCodes(platform);
  const sessions = createSessions(platform);
  const phones = createPhones(platform, codes);
  const oauth = createOAuth(platform, sessions, createOAuthProviders(env));
  // Unknown accounts are checked against this one, so that an answer takes as long as for a known one.
  const decoyHash = hashPassword(newSecret());

  async function readProfile(userId: string): Promise<Profile> {
    const [found] = await store.usersWithLicence(db, [userId]);
    if (found === undefined) throw noSession();
    return viewProfile(found.user, found.licence);
  }

  async function keepProfile(
    userId: string,
    fields: InputTo<typeof user.saveProfile>,
    completes: { inviter: string } | null,
  ): Promise<Profile> {
    const number = phoneOf(fields.phone);
    const inviterId = completes && (await signedTokens.verify(invitationPurpose, completes.inviter))?.[0];
    try {
      await transact(async (tx) => {
        const before = await store.holdUser(tx, userId);
        const sameNumber = before?.phone === number.phone;
        // Typed before the first ride, a number waits for its code; from then on only a code changes it.
        const isFirst = completes !== null && before?.profileCompletedAt === null;
        if (!sameNumber && number.phone !== '' && !isFirst) throw phoneNeedsCode();
        const phoneVerifiedAt = sameNumber ? (before?.phoneVerifiedAt ?? null) : null;
        await store.updateUser(tx, userId, { ...fields, ...number, phoneVerifiedAt });
        if (inviterId != null && (await store.rememberInviter(tx, userId, inviterId)))
          await outbox.emit(tx, 'person.invited', { personId: userId, inviterId }, userId);
        if (completes !== null) await store.completeProfile(tx, userId, clock.now());
        await outbox.emit(tx, 'profile.changed', { userId }, userId);
      });
    } catch (error) {
      if (brokenConstraint(error) === 'users_phone') throw phoneTaken();
      throw error;
    }
    return readProfile(userId);
  }

  /** Of some sign-ups the one whose code this is. Refuses `access.codeWrong`, `access.codeExpired`. */
  async function codeAmong(
    signups: readonly store.SignupRow[],
    code: string,
    origin: Origin,
  ): Promise<{ signup: store.SignupRow; codeId: string }> {
    let refusal: unknown = codeExpired();
    for (const signup of signups) {
      try {
        return { signup, codeId: await codes.check(codeOfSignup(signup), 'signup', code, origin) };
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        // A wrong code says more than one that is over.
        if (signup === signups[0] || error.reason === 'access.codeWrong') refusal = error;
      }
    }
    throw refusal;
  }

  return {
    allowedEmailDomains: () => env.ALLOWED_EMAIL_DOMAINS,

    /**
     * Whether an account has this e-mail or phone, as far as its owner lets others find it by that: who hides is answered
     * for as if there were no account. Refuses `access.nameMissing`.
     */
    async checkAccount(input: InputTo<typeof access.checkAccount>): Promise<{ exists: boolean }> {
      const name = nameOf(input);
      const person = name === null ? null : await store.findUser(db, name);
      if (name === null || person === null) return { exists: false };
      return { exists: 'email' in name ? person.foundByEmail : person.foundByPhone };
    },

    /**
     * Keeps a sign-up and sends its code; the latest sign-up of an address counts.
     * Refuses `access.domainNotAllowed`, `access.emailTaken`, `access.passwordCommon`, `access.phoneInvalid`,
     * `user.phoneTaken`, and a second one within a minute.
     */
    async signup(
      input: InputTo<typeof access.signup>,
      origin: Origin,
    ): Promise<{ resendAfterSeconds: number }> {
      const { email, password, language } = input;
      if (!maySignUp(email, env.ALLOWED_EMAIL_DOMAINS)) throw domainNotAllowed(env.ALLOWED_EMAIL_DOMAINS);
      const { phone } = phoneOf(input.phone);
      if (isCommonPassword(password, email)) throw passwordCommon();
      if ((await store.findUser(db, { email })) !== null) throw emailTaken();
      if (phone !== '' && (await store.findUser(db, { phone })) !== null) throw phoneTaken();
      await codes.limitAsking(email, 'signup', origin);
      const passwordHash = await hashPassword(password);
      await transact(async (tx) => {
        const secret = newSecret();
        const createdAt = clock.now();
        const own = { id: randomUUID(), secretHash: hashSecret(secret) };
        await store.keepSignup(tx, { ...own, email, phone, passwordHash, language, createdAt }, mostSignups);
        const code = await codes.make(tx, codeOfSignup({ ...own, email }), 'signup');
        await outbox.post(tx, { to: email, ...signupEmail(language, code) });
        origin.cookies.keep(signupCookie, secret, signupLifeMs / 1000);
      });
      return { resendAfterSeconds };
    },

    /**
     * Sends a fresh code to a sign-up that waits, and answers the same where none does.
     * Refuses a second one within a minute.
     */
    async resendCode(email: string, origin: Origin): Promise<{ resendAfterSeconds: number }> {
      await codes.limitAsking(email, 'signup', origin);
      await transact(async (tx) => {
        const [latest, ...others] = await store.signupsOf(tx, email);
        if (latest === undefined) return;
        const waiting = ownSignup([latest, ...others], origin) ?? latest;
        const code = await codes.make(tx, codeOfSignup(waiting), 'signup');
        await outbox.post(tx, { to: email, ...signupEmail(waiting.language, code) });
      });
      return { resendAfterSeconds };
    },

    /**
     * Makes the account of a sign-up and signs the person in. A phone that a person took meanwhile is left out. In the
     * browser that signed up only the code of its own sign-up counts. Elsewhere the code alone cannot tell who typed the
     * password where several have signed up with one address: such an account begins without one, to be set by email.
     * Refuses `access.codeWrong`, `access.codeExpired`, `access.emailTaken`.
     */
    async verifyEmail(
      { email, code }: InputTo<typeof access.verifyEmail>,
      origin: Origin,
    ): Promise<SessionUser> {
      const waiting = await store.signupsOf(db, email);
      const own = ownSignup(waiting, origin);
      const { signup, codeId } = await codeAmong(own === null ? waiting : [own], code, origin);
      const isProved = own !== null || waiting.length === 1;
      return transact(async (tx) => {
        const taken = (await codes.take(tx, codeId)) ? await store.takeSignups(tx, email) : new Set();
        if (!taken.has(signup.id)) throw codeExpired();
        origin.cookies.keep(signupCookie, '', 0);
        const now = clock.now();
        const fresh = {
          id: randomUUID(),
          email,
          emailVerifiedAt: now,
          passwordHash: isProved ? signup.passwordHash : '',
          language: signup.language,
          createdAt: now,
        };
        const number = (isProved ? parsePhone(signup.phone) : null) ?? noPhone;
        const person =
          (await store.insertUser(tx, { ...fresh, ...number })) ??
          (await store.insertUser(tx, { ...fresh, ...noPhone }));
        if (person === null) throw emailTaken();
        await agreeToTerms(tx, person.id, now);
        return sessions.open(tx, person, origin);
      });
    },

    /**
     * Signs in with e-mail or phone.
     * Refuses `access.nameMissing`, `access.wrong`, `access.notVerified` (right password, code still to come).
     */
    async login(input: InputTo<typeof access.login>, origin: Origin): Promise<SessionUser> {
      const name = nameOf(input);
      const typed = input.email || parsePhone(input.phone)?.phone || input.phone;
      const here = `login:${typed}:${origin.address}`;
      await tries.count(here, tryLimits.loginPerAccountAndAddress);
      const person = name === null ? null : await store.findUser(db, name);
      // Somebody elsewhere who guesses must not shut out the person at an address they have signed in from before.
      if (person === null || !(await sessions.knowsAddress(person.id, origin.address)))
        await tries.count(`login:${typed}`, tryLimits.loginPerAccount);
      const signups = person === null && input.email !== '' ? await store.signupsOf(db, input.email) : [];
      const waiting = ownSignup(signups, origin) ?? signups[0];
      const passwordHash = person?.passwordHash || waiting?.passwordHash || (await decoyHash);
      if (!(await isPassword(passwordHash, input.password))) throw wrongPassword();
      if (person === null) throw notVerified();
      return transact(async (tx) => {
        const held = await store.holdUser(tx, person.id);
        // The password was reset while it was being checked.
        if (held?.passwordHash !== passwordHash) throw wrongPassword();
        await forgetTries(tx, here);
        return sessions.open(tx, held, origin);
      });
    },

    /**
     * Sends a reset code where the account exists, by e-mail or to its verified phone; answers the same, and keeps as
     * much, where it does not.
     */
    async retrievePassword(
      input: InputTo<typeof access.retrievePassword>,
      origin: Origin,
    ): Promise<{ resendAfterSeconds: number }> {
      const to = recipientOf(input);
      await codes.limitAsking(to, 'reset', origin);
      await transact(async (tx) => {
        const code = await codes.make(tx, to, 'reset');
        const person = await resetter(tx, input, to);
        if (person === null) return;
        if (input.email !== '') await outbox.post(tx, { to, ...resetEmail(person.language, code) });
        else await outbox.text(tx, { to, ...resetSms(person.language, code) });
      });
      return { resendAfterSeconds };
    },

    /**
     * Sets a new password and ends every session of the account.
     * Refuses `access.passwordCommon`, `access.codeWrong`, `access.codeExpired`.
     */
    async resetPassword(
      input: InputTo<typeof access.retrievePasswordConfirm>,
      origin: Origin,
    ): Promise<void> {
      const { code, password } = input;
      const to = recipientOf(input);
      // Looked at first: a refused password must not use the code up.
      if (isCommonPassword(password, input.email)) throw passwordCommon();
      const codeId = await codes.check(to, 'reset', code, origin);
      const passwordHash = await hashPassword(password);
      await transact(async (tx, afterCommit) => {
        const person = (await codes.take(tx, codeId)) ? await resetter(tx, input, to) : null;
        if (person === null) throw codeExpired();
        await store.holdUser(tx, person.id);
        await store.updateUser(tx, person.id, { passwordHash });
        await sessions.endAll(tx, person.id, afterCommit);
        // Whoever has just proved who they are is let in, however many others have been guessing.
        for (const name of [person.email, person.phone]) await forgetTries(tx, `login:${name}`);
        await outbox.post(tx, { to: person.email, ...passwordChangedEmail(person.language, 'all') });
      });
    },

    /**
     * Sets a new password with the old one, ends every other session and tells the person by email. Counted like a sign-in.
     * Refuses `access.passwordWrong`, `access.passwordNone`, `access.passwordCommon`.
     */
    async changePassword(
      caller: Caller,
      { oldPassword, password }: InputTo<typeof access.changePassword>,
    ): Promise<{ ended: number }> {
      const { userId } = caller;
      await tries.count(`confirm:${userId}`, tryLimits.loginPerAccountAndAddress);
      const person = await store.findUserById(db, userId);
      if (person === null) throw noSession();
      if (person.passwordHash === '') throw passwordNone();
      if (!(await isPassword(person.passwordHash, oldPassword))) throw oldPasswordWrong();
      if (isCommonPassword(password, person.email)) throw passwordCommon();
      const passwordHash = await hashPassword(password);
      return transact(async (tx, afterCommit) => {
        const held = await store.holdUser(tx, userId);
        // The password was changed while the old one was being checked.
        if (held?.passwordHash !== person.passwordHash) throw oldPasswordWrong();
        await store.updateUser(tx, userId, { passwordHash });
        const ended = await sessions.endOthers(tx, caller, afterCommit);
        await forgetTries(tx, `confirm:${userId}`);
        await outbox.post(tx, { to: held.email, ...passwordChangedEmail(held.language, 'others') });
        return { ended };
      });
    },

    refresh: sessions.refresh,
    logout: sessions.logout,
    sessions: sessions.list,
    endSession: sessions.end,
    /** Ends every session of a person, in the caller's transaction. */
    endAllSessions: sessions.endAll,

    updatePhone: phones.update,
    verifyPhone: phones.verify,

    outsideProviders: oauth.providers,
    startOutside: oauth.start,
    loginOutside: oauth.login,
    verifyOutside: oauth.verify,

    /** Whether the password is the person's; true for somebody who has none. Counted, so that it cannot be guessed here. */
    async confirmsPassword(userId: string, password: string): Promise<boolean> {
      await tries.count(`confirm:${userId}`, tryLimits.loginPerAccountAndAddress);
      const person = await store.findUserById(db, userId);
      if (person === null) throw noSession();
      return person.passwordHash === '' || isPassword(person.passwordHash, password);
    },

    /** What a person agreed to, the latest word on each document. */
    consents: (userId: string) => store.latestConsents(db, userId),
    sayOptIn,

    /** Removes codes, attempts, sign-ups, sign-ins under way, idempotency keys and sessions that are over. */
    async clearOld(): Promise<void> {
      const now = clock.now();
      await store.clearOld(db, {
        now,
        // As long again as a token lasts: while it could still come back, its reuse must be seen.
        sessionsEnded: later(now, -30 * dayMs),
        signupsMade: later(now, -signupLifeMs),
        keysUsed: later(now, -24 * hourMs),
      });
    },

    /** The person's own profile. */
    profile: readProfile,

    /**
     * Completes the profile after the first sign-in, and remembers who invited the person; an invitation that is over
     * or forged counts as none. Refuses `access.phoneInvalid`, `user.phoneTaken`.
     */
    createProfile: (userId: string, { inviter, ...fields }: InputTo<typeof user.createUser>) =>
      keepProfile(userId, fields, { inviter }),

    /** Saves the profile; a phone may be taken away here. Refuses `access.phoneInvalid`, `user.phoneNeedsCode`. */
    saveProfile: (userId: string, fields: InputTo<typeof user.saveProfile>) =>
      keepProfile(userId, fields, null),

    /** Notes the device on launch; one row per browser and screen. */
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

    /** People as others see them, by id; unknown ids are left out. */
    async people(ids: readonly string[]): Promise<Map<string, Person>> {
      const found = await store.usersWithLicence(db, ids);
      return new Map(found.map(({ user, licence }) => [user.id, viewPerson(user, licence)]));
    },

    /** Whether a person's own profile says female. */
    isWoman: async (userId: string): Promise<boolean> =>
      (await store.findUserById(db, userId))?.gender === 'female',

    /** How to reach people, by id. Who may read them is for the asking feature to decide. */
    async contactDetails(ids: readonly string[]): Promise<Map<string, ContactDetails>> {
      const found = await store.usersWithLicence(db, ids);
      return new Map(
        found.map(
          ({ user: { id, phone, phoneVerifiedAt, phoneSeenBy, email, preferContactWith, language } }) => [
            id,
            {
              phone,
              phoneVerified: phoneVerifiedAt !== null,
              phoneSeenBy,
              email,
              preferContactWith,
              language,
            },
          ],
        ),
      );
    },

    /** Where a person's profile photo is from now on, in the caller's transaction; empty for none. */
    setAvatar: store.setAvatar,

    deletion,
    erasure,

    /** Suspends an account, in the caller's transaction; null when it is suspended already, is an admin's, or gone. */
    suspend: store.suspend,
    /** Ends a suspension, in the caller's transaction; null when there is none. */
    unsuspend: store.unsuspend,

    /** Counts a finished ride and the metres ridden together, in the caller's transaction. */
    countRide: (tx: Db, userId: string, sharedMetres: number) => store.addRide(tx, userId, sharedMetres),

    /** Adds a published review's 1 to 5 stars to a person's rating, in the caller's transaction. */
    countStars: (tx: Db, userId: string, stars: number) => store.addStars(tx, userId, stars),

    /**
     * Makes an account that is verified and complete from the start: the demo community.
     * Refuses `access.emailTaken` when the e-mail or the phone has an account.
     */
    async enrol(
      account: Omit<store.NewUser, 'id' | 'passwordHash' | 'createdAt'> & { password: string },
    ): Promise<string> {
      const { password, ...fields } = account;
      const now = clock.now();
      const id = randomUUID();
      const passwordHash = await hashPassword(password);
      const phoneVerifiedAt = (fields.phone ?? '') === '' ? null : now;
      const complete = { emailVerifiedAt: now, phoneVerifiedAt, profileCompletedAt: now, createdAt: now };
      const made = await transact((tx) => store.insertUser(tx, { ...complete, ...fields, id, passwordHash }));
      if (made === null) throw emailTaken();
      return id;
    },

    /** Makes accounts with a past, as they are given: the demo community. */
    importAccounts: (rows: store.NewUser[]) => store.insertAccounts(db, rows),

    /** Removes accounts with all that goes with them, in the caller's transaction: a demo community that was broken off. */
    removeAccounts: store.removeAccounts,

    /**
     * Gives the account of an email another password and ends its sessions, which began with the former one. Before the server
     * listens: no open page hears of it.
     */
    async replacePassword(email: string, passwordHash: string): Promise<void> {
      await transact(async (tx) => {
        const userId = await store.replacePassword(tx, email, passwordHash);
        if (userId !== null) await store.endSessions(tx, { userId }, clock.now());
      });
    },
  };
}

/**
 * Makes an account an admin, or no longer; false when there is no such account. Takes effect with the next call, and
 * stands in the admins' log as done by the command line.
 */
export const setAdmin = (db: Db, email: string, isAdmin: boolean, at: Date): Promise<boolean> =>
  db.transaction(async (tx) => {
    const personId = await store.setAdmin(tx, email.trim().toLowerCase(), isAdmin);
    if (personId === null) return false;
    await noteDeed(tx, { adminId: null, action: isAdmin ? 'admin.granted' : 'admin.revoked', personId }, at);
    return true;
  });

/** @throws Refusal `access.nameMissing`; null when the phone cannot exist. */
function nameOf({ email, phone }: { email: string; phone: string }): store.AccountName | null {
  if (email !== '') return { email };
  if (phone === '')
    throw refuseField('access.nameMissing', 'email', 'Please enter your email or phone number.');
  const number = parsePhone(phone);
  return number === null ? null : { phone: number.phone };
}

/** Where a reset code goes: the e-mail as typed, or the number in E.164. @throws Refusal `access.nameMissing` */
function recipientOf({ email, phone }: { email: string; phone: string }): string {
  const name = nameOf({ email, phone });
  if (name === null) return phone;
  return 'email' in name ? name.email : name.phone;
}

/** The account that a reset code to this recipient is for: a number must be verified, or a slip would hand it over. */
async function resetter(tx: Db, { email }: { email: string }, to: string): Promise<store.UserRow | null> {
  const person = await store.findUser(tx, email === '' ? { phone: to } : { email: to });
  return email === '' && person?.phoneVerifiedAt === null ? null : person;
}

const emailTaken = () =>
  refuseField('access.emailTaken', 'email', 'There is already an account with this email. Please sign in.');
const passwordCommon = () =>
  refuseField('access.passwordCommon', 'password', 'This password is easy to guess. Please choose another.');
const oldPasswordWrong = () =>
  refuseField('access.passwordWrong', 'oldPassword', 'This password is not right.');
const passwordNone = () =>
  refuseField(
    'access.passwordNone',
    'oldPassword',
    'This account has no password yet. Set one with "Forgot password" on the sign-in page.',
  );
const wrongPassword = () => new Refusal('access.wrong', 'The account or the password is wrong.');
const notVerified = () =>
  new Refusal('access.notVerified', 'Please verify your email with the code we sent you.');
