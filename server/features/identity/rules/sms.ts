import type { Sms } from '../../../platform/messages/sms.ts';
import { translate, type Language } from '../../../platform/messages/translate.ts';
import { codeMinutes } from './code.ts';

/** The SMS with the code that verifies a phone number. */
export const phoneCodeSms = (language: Language, code: string): Omit<Sms, 'to'> => ({
  text: translate(language)('sms:phoneCode', { code, count: codeMinutes }),
  secrets: [code],
});

/** The SMS with the code that resets a password. */
export const resetSms = (language: Language, code: string): Omit<Sms, 'to'> => ({
  text: translate(language)('sms:resetCode', { code, minutes: codeMinutes }),
  secrets: [code],
});
