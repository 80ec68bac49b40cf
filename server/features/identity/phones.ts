import type { App } from '../../app-type.ts';
import { brokenConstraint } from '../../platform/database/db.ts';
import type { Origin } from '../../platform/http/cookies.ts';
import { refuseField } from '../../platform/refusal.ts';
import { codeExpired, limitCodes, makeCode, checkCode } from './codes.ts';
import { resendAfterSeconds } from './rules/code.ts';
import { parsePhone, type PhoneNumber } from './rules/phone.ts';
import { phoneCodeSms } from './rules/emails.ts';
import * as store from './store.ts';
import { takeCode } from './store.ts';

export const noPhone: PhoneNumber = { phone: '', phoneRegion: '+1' };

/** @throws Refusal `access.phoneInvalid` */
export function phoneOf(typed: string): PhoneNumber {
  if (typed === '') return noPhone;
  const number = parsePhone(typed);
  if (number === null)
    throw refuseField('access.phoneInvalid', 'phone', 'Please enter a valid phone number.');
  return number;
}

export const phoneTaken = () =>
  refuseField('user.phoneTaken', 'phone', 'Another account uses this phone number.');

export const phoneNeedsCode = () =>
  refuseField('user.phoneNeedsCode', 'phone', 'To change your phone number, enter the code we text to it.');

/**
 * Sends a code by SMS. Refuses `access.phoneInvalid`, `user.phoneTaken` and a second one within a minute.
 */
export async function sendPhoneCode(
  app: App,
  userId: string,
  typed: string,
  origin: Origin,
): Promise<{ phone: string; resendAfterSeconds: number }> {
  const { phone } = phoneOf(typed);
  await limitCodes(app, userId, 'phone', origin);
  // Also counted for the number: many accounts must not send its owner codes in turn.
  await limitCodes(app, phone, 'phone', origin);
  await refuseTaken(app, userId, phone);
  await app.transact('send phone code', async (tx) => {
    const person = await store.holdUser(tx, userId);
    const code = await makeCode(app, tx, recipient(userId, phone), 'phone');
    await app.outbox.text(tx, { to: phone, ...phoneCodeSms(person?.language ?? 'en', code) });
  });
  return { phone, resendAfterSeconds };
}

/**
 * Makes the number the person's, verified; removes it from an account that had not verified it. Refuses
 * `access.codeWrong`, `access.codeExpired`, `user.phoneTaken`.
 */
export async function verifyPhone(
  app: App,
  userId: string,
  { phone: typed, code }: { phone: string; code: string },
  origin: Origin,
): Promise<PhoneNumber> {
  const number = phoneOf(typed);
  const to = recipient(userId, number.phone);
  const codeId = await checkCode(app, { to, purpose: 'phone', code }, origin);
  try {
    await app.transact('verify phone', async (tx) => {
      if (!(await takeCode(tx, codeId))) throw codeExpired();
      await store.dropTypedPhone(tx, number.phone, userId);
      await store.updateUser(tx, userId, { ...number, phoneVerifiedAt: app.clock.now() });
      await app.outbox.emit(tx, 'profile.changed', { userId }, userId);
    });
  } catch (error) {
    if (brokenConstraint(error) === 'users_phone') throw phoneTaken();
    throw error;
  }
  return number;
}

// A code is for one person and one number: others may verify the same number.
const recipient = (userId: string, phone: string) => `${userId}:${phone}`;

/** Only a verified number of another account is taken: an unverified one may be a typing error. */
async function refuseTaken(app: App, userId: string, phone: string): Promise<void> {
  const holder = await store.findUser(app.db, { phone });
  if (holder !== null && holder.id !== userId && holder.phoneVerifiedAt !== null) throw phoneTaken();
}
