import type { PasskeySignature } from '#contract/access/second-factor.ts';
import type { App } from '../../../app-type.ts';
import type { Db } from '../../../platform/database/db.ts';
import { forgetTries } from '../../../platform/http/tries.ts';
import { Refusal, refuseField } from '../../../platform/refusal.ts';
import { hashSecret } from '../../../platform/security/session.ts';
import { tryLimits, wrongCodes } from '../policy.ts';
import { recoveryUsedEmail, wrongCodesEmail } from '../rules/emails.ts';
import { findUserById, type UserRow } from '../store.ts';
import { passkeyRefused, checkPasskeySignature } from './ceremonies.ts';
import { plainRecoveryCode } from './rules/recovery-code.ts';
import { matchTotp } from './rules/totp.ts';
import * as store from './store.ts';

/** A second factor as the person provides it: a code, or a signature of a passkey. */
export interface GivenFactor {
  code: string;
  challengeId: string | null;
  passkey: PasskeySignature | null;
}

/** A verified factor; `use` consumes it in the transaction that acts on it. */
export interface CheckedFactor {
  /** Refuses `factor.wrong`, `factor.passkeyRefused` if another call has used it meanwhile. */
  use(tx: Db, person: UserRow): Promise<void>;
}

const triesOf = (userId: string): string => `factor:${userId}`;
const wrongCodesOf = (userId: string): string => `factor-wrong:${userId}`;

/** A right factor, a new one or a new password begins the counts of wrong codes again. */
export async function forgetWrongCodes(tx: Db, userId: string): Promise<void> {
  await forgetTries(tx, triesOf(userId));
  await forgetTries(tx, wrongCodesOf(userId));
}

/** The hash of a recovery code. It needs no salt: the code is random, and the hash includes its owner. */
export const hashRecoveryCode = (userId: string, code: string): string =>
  hashSecret(`${userId}:${plainRecoveryCode(code)}`);

/**
 * Checks a person's second factor. Runs outside a transaction, so that a wrong attempt counts even though the
 * call is refused. Refuses `factor.wrong`, `factor.wrongTooOften`, `factor.expired`, `factor.passkeyRefused`.
 */
export async function checkFactor(
  app: App,
  purpose: 'secondStep' | 'prove',
  userId: string,
  given: GivenFactor,
): Promise<CheckedFactor> {
  if (given.passkey !== null && given.challengeId !== null) {
    const { challengeId, passkey } = given;
    return usedPasskey(app, await checkPasskeySignature(app, purpose, userId, { challengeId, passkey }));
  }
  await app.tries.count(triesOf(userId), tryLimits.factorPerAccount);
  return /^\d{6}$/.test(given.code)
    ? checkTotp(app, userId, given.code)
    : usedRecoveryCode(app, userId, given.code);
}

/** A passkey that has signed; `use` saves its counter. */
export const usedPasskey = ({ clock }: App, row: store.PasskeyRow): CheckedFactor => ({
  async use(tx) {
    if (!(await store.usePasskey(tx, row, clock.now()))) throw passkeyRefused();
    await forgetWrongCodes(tx, row.userId);
  },
});

async function checkTotp(app: App, userId: string, code: string): Promise<CheckedFactor> {
  const totp = await store.totpOf(app.db, userId);
  if (totp === null || totp.confirmedAt === null) throw wrongCode();
  const step = await guessCounted(app, userId, () => stepOfCode(app, totp, code));
  return {
    async use(tx) {
      if (!(await store.useTotpStep(tx, totp, step))) throw wrongCode();
      await forgetWrongCodes(tx, userId);
    },
  };
}

/**
 * Counts a code before it is checked, so that calls at the same moment cannot guess more. Refuses
 * `factor.wrongTooOften` after too many wrong ones, and tells the person of a row of them.
 */
async function guessCounted<T>(app: App, userId: string, check: () => Promise<T>): Promise<T> {
  const { most, toldFrom, countedForSeconds } = wrongCodes;
  const limit = { most: Infinity, withinSeconds: countedForSeconds };
  const guesses = await app.tries.count(wrongCodesOf(userId), limit);
  try {
    if (guesses > most) throw wrongTooOften();
    return await check();
  } catch (error) {
    if (error instanceof Refusal && guesses >= toldFrom) await tellOfWrongCodes(app, userId);
    throw error;
  }
}

/** At most one email a day. */
async function tellOfWrongCodes({ db, tries, transact, outbox }: App, userId: string): Promise<void> {
  const person = await findUserById(db, userId);
  if (person === null) return;
  try {
    await tries.count(`factor-told:${userId}`, tryLimits.wrongCodesEmail);
  } catch (error) {
    if (error instanceof Refusal) return;
    throw error;
  }
  await transact('warn of wrong codes', (tx) =>
    outbox.post(tx, { to: person.email, ...wrongCodesEmail(person.language) }),
  );
}

/** The time step of a code from an app. Refuses `factor.wrong`. */
export async function stepOfCode(app: App, totp: store.TotpRow, code: string): Promise<number> {
  const secret = await app.seal.open(totp.secret, totp.userId);
  const at = codeClock(app);
  const step = matchTotp(secret, code, { at, lastStep: totp.lastStep });
  if (step === null) throw wrongCode();
  return step;
}

function usedRecoveryCode(app: App, userId: string, code: string): CheckedFactor {
  return {
    async use(tx, person) {
      const { clock, outbox } = app;
      if (!(await store.useRecoveryCode(tx, userId, hashRecoveryCode(userId, code), clock.now())))
        throw wrongCode();
      await forgetWrongCodes(tx, userId);
      const { recoveryCodesLeft } = await store.factorsOf(tx, userId);
      await outbox.post(tx, { to: person.email, ...recoveryUsedEmail(person.language, recoveryCodesLeft) });
    },
  };
}

const wrongTooOften = () =>
  refuseField(
    'factor.wrongTooOften',
    'code',
    'Too many wrong codes. Use a passkey or a recovery code, or set a new password with “Forgot your password?”.',
  );
export const wrongCode = () => refuseField('factor.wrong', 'code', 'That code isn’t right.');

/**
 * The clock for codes of authenticator apps. In the demo it is the real one, because phones do not follow the
 * demo's clock.
 */
export const codeClock = ({ env, clock }: App): Date => (env.DEMO ? new Date() : clock.now());
