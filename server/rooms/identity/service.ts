import { randomUUID } from 'node:crypto';
import type { z } from 'zod';
import type * as access from '#contract/access/endpoints.ts';
import type { SessionUser } from '#contract/access/endpoints.ts';
import type * as user from '#contract/user/endpoints.ts';
import type { Person, Profile } from '#contract/user/endpoints.ts';
import type { Base } from '../../base/base.ts';
import { dayMs, hourMs, later } from '../../base/clock.ts';
import { brokenConstraint, type Db } from '../../base/db.ts';
import type { Caller, Origin } from '../../base/http.ts';
import { noSession, refuseField, Refusal } from '../../base/refusal.ts';
import { hashSecret, newSecret } from '../../base/session.ts';
import { allowances, maySignUp, type Allowance } from './policy.ts';
import {
  codeLifeMs,
  hashCode,
  newCode,
  resendAfterSeconds,
  sameHash,
  type CodePurpose,
} from './rules/code.ts';
import { hashPassword, isPassword } from './rules/hash.ts';
import { passwordChangedLetter, resetLetter, signupLetter, type Language } from './rules/letters.ts';
import { isCommonPassword } from './rules/password.ts';
import { parsePhone, type PhoneNumber } from './rules/phone.ts';
import * as store from './store.ts';
import { viewPerson, viewProfile, viewSession } from './view.ts';

type InputTo<E extends { input: z.ZodType }> = z.output<E['input']>;

const accessLifeMs = hourMs;
const refreshLifeMs = 60 * dayMs;
const noPhone: PhoneNumber = { phone: '', phoneRegion: '+1' };

export type IdentityService = ReturnType<typeof createIdentity>;

/** How another room, or the person themselves, may reach somebody. */
export interface ContactDetails {
  /** E.164, or empty. */
  phone: string;
  email: string;
  preferContactWith: 'phone' | 'email' | 'chat';
  language: Language;
}

/** Accounts, sign-in, sessions and profiles. */
export function createIdentity({ env, clock, db, transact, outbox, live, limit }: Base) {
  // Unknown accounts are checked against this one, so that an answer takes as long as for a known one.
  const decoyHash = hashPassword(newSecret());

  const within = (allowance: Allowance, key: string) => limit(key, allowance.most, allowance.windowSeconds);

  /** Lets one code a minute, and ten an hour, go to an address. */
  async function limitCodes(email: string, purpose: CodePurpose, origin: Origin): Promise<void> {
    await within(allowances.codesPerAddress, `codes:${origin.address}`);
    await within({ most: 1, windowSeconds: resendAfterSeconds }, `code:${purpose}:${email}`);
    await within(allowances.codesPerAccount, `codes:${purpose}:${email}`);
  }

  async function makeCode(tx: Db, email: string, purpose: CodePurpose): Promise<string> {
    const code = newCode();
    const now = clock.now();
    const codeHash = hashCode(await store.codeKey(tx), purpose, email, code);
    await store.keepCode(tx, { email, purpose, codeHash, sentAt: now, expiresAt: later(now, codeLifeMs) });
    return code;
  }

  /** Checks a code and gives its id. The try counts also when the call is refused, so it stands in no transaction. */
  async function checkCode(
    email: string,
    purpose: CodePurpose,
    code: string,
    origin: Origin,
  ): Promise<string> {
    await within(allowances.triesPerAddress, `tries:${origin.address}`);
    const open = await store.countTry(db, email, purpose, clock.now());
    if (open === null) throw codeExpired();
    if (!sameHash(open.codeHash, hashCode(await store.codeKey(db), purpose, email, code))) throw codeWrong();
    return open.id;
  }

  /** Starts a session. The caller holds the person's row. */
  async function openSession(
    tx: Db,
    person: store.UserRow,
    line: { family: string; parentId: string | null },
    origin: Origin,
  ): Promise<SessionUser> {
    const now = clock.now();
    const tokens = {
      accessToken: newSecret(),
      refreshToken: newSecret(),
      expiresAt: later(now, accessLifeMs),
    };
    await store.insertSession(tx, {
      id: randomUUID(),
      userId: person.id,
      ...line,
      accessHash: hashSecret(tokens.accessToken),
      refreshHash: hashSecret(tokens.refreshToken),
      expiresAt: tokens.expiresAt,
      refreshExpiresAt: later(now, refreshLifeMs),
      userAgent: origin.userAgent.slice(0, 300),
      createdAt: now,
    });
    return viewSession(person, tokens);
  }

  const dropAll = (sessionIds: string[]) => {
    for (const sessionId of sessionIds) live.drop(sessionId);
  };

  async function readProfile(userId: string): Promise<Profile> {
    const [found] = await store.usersWithLicence(db, [userId]);
    if (found === undefined) throw noSession();
    return viewProfile(found.user, found.licence);
  }

  async function keepProfile(
    userId: string,
    fields: InputTo<typeof user.saveProfile>,
    completes: boolean,
  ): Promise<Profile> {
    const number = phoneOf(fields.phone);
    try {
      await transact(async (tx, afterCommit) => {
        await store.updateUser(tx, userId, { ...fields, ...number });
        if (completes) await store.completeProfile(tx, userId, clock.now());
        await outbox.emit(tx, 'profile.changed', { userId }, userId);
        afterCommit(() => live.tell([userId], 'changed', { topic: 'profile', id: userId, news: null }));
      });
    } catch (error) {
      if (brokenConstraint(error) === 'users_phone') throw phoneTaken();
      throw error;
    }
    return readProfile(userId);
  }

  return {
    allowedEmailDomains: () => env.ALLOWED_EMAIL_DOMAINS,

    /** Whether an account has this e-mail or phone. Refuses `access.nameMissing`. */
    async checkAccount(
      input: InputTo<typeof access.checkAccount>,
      origin: Origin,
    ): Promise<{ exists: boolean }> {
      await within(allowances.checkPerAddress, `check:${origin.address}`);
      const name = nameOf(input);
      return { exists: name !== null && (await store.findUser(db, name)) !== null };
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
      await within(allowances.signupPerAddress, `signup:${origin.address}`);
      if (!maySignUp(email, env.ALLOWED_EMAIL_DOMAINS)) throw domainNotAllowed(env.ALLOWED_EMAIL_DOMAINS);
      const { phone } = phoneOf(input.phone);
      if (isCommonPassword(password, email)) throw passwordCommon();
      if ((await store.findUser(db, { email })) !== null) throw emailTaken();
      if (phone !== '' && (await store.findUser(db, { phone })) !== null) throw phoneTaken();
      await limitCodes(email, 'signup', origin);
      const passwordHash = await hashPassword(password);
      await transact(async (tx) => {
        await store.keepSignup(tx, { email, phone, passwordHash, language, createdAt: clock.now() });
        const code = await makeCode(tx, email, 'signup');
        await outbox.post(tx, { to: email, ...signupLetter(language, code) });
      });
      return { resendAfterSeconds };
    },

    /**
     * Sends a fresh code to a sign-up that waits, and answers the same where none does.
     * Refuses a second one within a minute.
     */
    async resendCode(email: string, origin: Origin): Promise<{ resendAfterSeconds: number }> {
      await limitCodes(email, 'signup', origin);
      await transact(async (tx) => {
        const waiting = await store.findSignup(tx, email);
        if (waiting === null) return;
        const code = await makeCode(tx, email, 'signup');
        await outbox.post(tx, { to: email, ...signupLetter(waiting.language, code) });
      });
      return { resendAfterSeconds };
    },

    /**
     * Makes the account of a sign-up and signs the person in. A phone that somebody took meanwhile is left out.
     * Refuses `access.codeWrong`, `access.codeExpired`, `access.emailTaken`.
     */
    async verifyEmail(
      { email, code }: InputTo<typeof access.verifyEmail>,
      origin: Origin,
    ): Promise<SessionUser> {
      const codeId = await checkCode(email, 'signup', code, origin);
      return transact(async (tx) => {
        const signup = (await store.takeCode(tx, codeId)) ? await store.takeSignup(tx, email) : null;
        if (signup === null) throw codeExpired();
        const now = clock.now();
        const fresh = {
          id: randomUUID(),
          email,
          emailVerifiedAt: now,
          passwordHash: signup.passwordHash,
          language: signup.language,
          createdAt: now,
        };
        const number = parsePhone(signup.phone) ?? noPhone;
        const person =
          (await store.insertUser(tx, { ...fresh, ...number })) ??
          (await store.insertUser(tx, { ...fresh, ...noPhone }));
        if (person === null) throw emailTaken();
        return openSession(tx, person, { family: randomUUID(), parentId: null }, origin);
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
      await within(allowances.loginPerAddress, `login:${origin.address}`);
      await within(allowances.loginPerAccountAndAddress, here);
      await within(allowances.loginPerAccount, `login:${typed}`);
      const person = name === null ? null : await store.findUser(db, name);
      const waiting = person === null && input.email !== '' ? await store.findSignup(db, input.email) : null;
      const passwordHash = person?.passwordHash || waiting?.passwordHash || (await decoyHash);
      if (!(await isPassword(passwordHash, input.password))) throw wrongPassword();
      if (person === null) throw notVerified();
      return transact(async (tx) => {
        const held = await store.holdUser(tx, person.id);
        // The password was reset while it was being checked.
        if (held?.passwordHash !== passwordHash) throw wrongPassword();
        await store.forgetAttempts(tx, here);
        return openSession(tx, held, { family: randomUUID(), parentId: null }, origin);
      });
    },

    /** Sends a reset code where the account exists; answers the same, and keeps as much, where it does not. */
    async retrievePassword(email: string, origin: Origin): Promise<{ resendAfterSeconds: number }> {
      await limitCodes(email, 'reset', origin);
      await transact(async (tx) => {
        const code = await makeCode(tx, email, 'reset');
        const person = await store.findUser(tx, { email });
        if (person !== null) await outbox.post(tx, { to: email, ...resetLetter(person.language, code) });
      });
      return { resendAfterSeconds };
    },

    /**
     * Sets a new password and ends every session of the account.
     * Refuses `access.passwordCommon`, `access.codeWrong`, `access.codeExpired`.
     */
    async resetPassword(
      { email, code, password }: InputTo<typeof access.retrievePasswordConfirm>,
      origin: Origin,
    ): Promise<void> {
      // Looked at first: a refused password must not use the code up.
      if (isCommonPassword(password, email)) throw passwordCommon();
      const codeId = await checkCode(email, 'reset', code, origin);
      const passwordHash = await hashPassword(password);
      await transact(async (tx, afterCommit) => {
        const person = (await store.takeCode(tx, codeId)) ? await store.findUser(tx, { email }) : null;
        if (person === null) throw codeExpired();
        await store.holdUser(tx, person.id);
        await store.updateUser(tx, person.id, { passwordHash });
        const ended = await store.endSessions(tx, { userId: person.id }, clock.now());
        await outbox.post(tx, { to: email, ...passwordChangedLetter(person.language) });
        afterCommit(() => dropAll(ended));
      });
    },

    /** Trades a refresh token for a new pair. One that was traded in before ends all that grew from its sign-in. */
    async refresh(refreshToken: string, origin: Origin): Promise<SessionUser> {
      const renewed = await transact(async (tx, afterCommit) => {
        const session = await store.findSession(tx, { refreshHash: hashSecret(refreshToken) });
        const person = session === null ? null : await store.holdUser(tx, session.userId);
        if (session === null || person === null) return null;
        if (await store.rotateSession(tx, session.id, clock.now()))
          return openSession(tx, person, { family: session.family, parentId: session.id }, origin);
        // The answer to the first use got lost on the way: whoever asks again gets what never arrived.
        if (await store.endUnusedChild(tx, session.id, clock.now()))
          return openSession(tx, person, { family: session.family, parentId: session.id }, origin);
        const now = await store.findSession(tx, { id: session.id });
        if (now?.rotatedAt !== null) {
          const ended = await store.endSessions(tx, { family: session.family }, clock.now());
          afterCommit(() => dropAll(ended));
        }
        return null;
      });
      // Refused after the commit, so that the family stays ended.
      if (renewed === null) throw noSession();
      return renewed;
    },

    /** Ends the caller's session, with all that its sign-in grew. */
    async logout({ userId, sessionId }: Caller): Promise<void> {
      await transact(async (tx, afterCommit) => {
        await store.holdUser(tx, userId);
        const session = await store.findSession(tx, { id: sessionId });
        if (session === null) return;
        const ended = await store.endSessions(tx, { family: session.family }, clock.now());
        afterCommit(() => dropAll(ended));
      });
    },

    /** The person's own profile. */
    profile: readProfile,

    /** Completes the profile after the first sign-in. Refuses `access.phoneInvalid`, `user.phoneTaken`. */
    createProfile: (userId: string, fields: InputTo<typeof user.createUser>) =>
      keepProfile(userId, fields, true),

    /** Saves the profile. Refuses `access.phoneInvalid`, `user.phoneTaken`. */
    saveProfile: (userId: string, fields: InputTo<typeof user.saveProfile>) =>
      keepProfile(userId, fields, false),

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

    /** How to reach people, by id. Who may read them is for the asking room to decide. */
    async contactDetails(ids: readonly string[]): Promise<Map<string, ContactDetails>> {
      const found = await store.usersWithLicence(db, ids);
      return new Map(
        found.map(({ user: { id, phone, email, preferContactWith, language } }) => [
          id,
          { phone, email, preferContactWith, language },
        ]),
      );
    },

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
      const complete = { emailVerifiedAt: now, profileCompletedAt: now, createdAt: now };
      const made = await transact((tx) => store.insertUser(tx, { ...complete, ...fields, id, passwordHash }));
      if (made === null) throw emailTaken();
      return id;
    },
  };
}

/** Makes an account an admin, or no longer; false when there is no such account. Takes effect with the next call. */
export const setAdmin = (db: Db, email: string, isAdmin: boolean): Promise<boolean> =>
  store.setAdmin(db, email.trim().toLowerCase(), isAdmin);

/** @throws Refusal `access.nameMissing`; null when the phone cannot exist. */
function nameOf({ email, phone }: { email: string; phone: string }): store.AccountName | null {
  if (email !== '') return { email };
  if (phone === '')
    throw refuseField('access.nameMissing', 'email', 'Please enter your email or phone number.');
  const number = parsePhone(phone);
  return number === null ? null : { phone: number.phone };
}

/** @throws Refusal `access.phoneInvalid` */
function phoneOf(typed: string): PhoneNumber {
  if (typed === '') return noPhone;
  const number = parsePhone(typed);
  if (number === null)
    throw refuseField('access.phoneInvalid', 'phone', 'Please enter a valid phone number.');
  return number;
}

const domainNotAllowed = (domains: readonly string[]) =>
  refuseField(
    'access.domainNotAllowed',
    'email',
    `Only emails from allowed domains (${domains.join(', ')}) are supported.`,
    { domains: [...domains] },
  );
const emailTaken = () =>
  refuseField('access.emailTaken', 'email', 'There is already an account with this email. Please sign in.');
const phoneTaken = () => refuseField('user.phoneTaken', 'phone', 'Another account uses this phone number.');
const passwordCommon = () =>
  refuseField('access.passwordCommon', 'password', 'This password is easy to guess. Please choose another.');
const wrongPassword = () => new Refusal('access.wrong', 'The account or the password is wrong.');
const notVerified = () =>
  new Refusal('access.notVerified', 'Please verify your email with the code we sent you.');
const codeWrong = () => refuseField('access.codeWrong', 'code', 'This code is wrong.');
const codeExpired = () =>
  refuseField('access.codeExpired', 'code', 'This code is no longer valid. Please ask for a new one.');
