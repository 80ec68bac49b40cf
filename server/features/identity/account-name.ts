import { refuseField } from '../../platform/refusal.ts';
import { parsePhone } from './rules/phone.ts';
import type { AccountName } from './store.ts';

/**
 * The email or phone by which to look up an account.
 * @throws Refusal `access.nameMissing`; null when the phone number is invalid.
 */
export function accountName({ email, phone }: { email: string; phone: string }): AccountName | null {
  if (email !== '') return { email };
  if (phone === '')
    throw refuseField('access.nameMissing', 'email', 'Please enter your email or phone number.');
  const number = parsePhone(phone);
  return number === null ? null : { phone: number.phone };
}

/**
 * The recipient of a reset code: the email as typed, or the number in E.164.
 * @throws Refusal `access.nameMissing`
 */
export function codeRecipient({ email, phone }: { email: string; phone: string }): string {
  const name = accountName({ email, phone });
  if (name === null) return phone;
  return 'email' in name ? name.email : name.phone;
}
