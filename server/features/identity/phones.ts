import type { Platform } from '../../platform/platform.ts';
import { brokenConstraint } from '../../platform/database/db.ts';
import type { Origin } from '../../platform/http/origin.ts';
import { refuseField } from '../../platform/refusal.ts';
import { codeExpired, type Codes } from './codes.ts';
import { resendAfterSeconds } from './rules/code.ts';
import { phoneCodeSms } from './rules/sms.ts';
import { parsePhone, type PhoneNumber } from './rules/phone.ts';
import * as store from './store.ts';

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

/** New phone numbers, which take effect once the person enters the code sent to them. */
export function createPhones({ db, transact, outbox, clock }: Platform, codes: Codes) {
  // A code is for one person and one number: others may verify the same number.
  const recipient = (userId: string, phone: string) => `${userId}:${phone}`;

  /** Only a verified number of another account is taken: an unverified one may be a typing error. */
  async function refuseTaken(userId: string, phone: string): Promise<void> {
    const holder = await store.findUser(db, { phone });
    if (holder !== null && holder.id !== userId && holder.phoneVerifiedAt !== null) throw phoneTaken();
  }

  return {
    /**
     * Sends a code by SMS. Refuses `access.phoneInvalid`, `user.phoneTaken` and a second one within a minute.
     */
    async update(
      userId: string,
      typed: string,
      origin: Origin,
    ): Promise<{ phone: string; resendAfterSeconds: number }> {
      const { phone } = phoneOf(typed);
      await codes.limitAsking(userId, 'phone', origin);
      // Also counted for the number: many accounts must not send its owner codes in turn.
      await codes.limitAsking(phone, 'phone', origin);
      await refuseTaken(userId, phone);
      await transact(async (tx) => {
        const person = await store.holdUser(tx, userId);
        const code = await codes.make(tx, recipient(userId, phone), 'phone');
        await outbox.text(tx, { to: phone, ...phoneCodeSms(person?.language ?? 'en', code) });
      });
      return { phone, resendAfterSeconds };
    },

    /**
     * Makes the number the person's, verified; removes it from an account that had not verified it. Refuses
     * `access.codeWrong`, `access.codeExpired`, `user.phoneTaken`.
     */
    async verify(userId: string, typed: string, code: string, origin: Origin): Promise<PhoneNumber> {
      const number = phoneOf(typed);
      const codeId = await codes.check(recipient(userId, number.phone), 'phone', code, origin);
      try {
        await transact(async (tx) => {
          if (!(await codes.take(tx, codeId))) throw codeExpired();
          await store.dropTypedPhone(tx, number.phone, userId);
          await store.updateUser(tx, userId, { ...number, phoneVerifiedAt: clock.now() });
          await outbox.emit(tx, 'profile.changed', { userId }, userId);
        });
      } catch (error) {
        if (brokenConstraint(error) === 'users_phone') throw phoneTaken();
        throw error;
      }
      return number;
    },
  };
}
