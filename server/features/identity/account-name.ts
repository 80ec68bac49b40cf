import { refuseField } from '../../platform/refusal.ts';
import { parsePhone } from './rules/phone.ts';
import type { AccountName } from './store.ts';

/**
 * What an account is looked for by.
 * @throws Refusal `access.nameMissing`; null when the phone cannot exist.
 */
export function accountName({ email, phone }: { email: string; phone: string }): AccountName | null {
  if (email !== '') return { email };
  if (phone === '')
    throw refuseField('access.nameMissing', 'email', 'Please enter your email or phone number.');
  const number = parsePhone(phone);
  return number === null ? null : { phone: number.phone };
}

/**
 * Where a reset code goes: the email as typed, or the number in E.164.
 * @throws Refusal `access.nameMissing`
 */
export function codeRecipient({ email, phone }: { email: string; phone: string }): string {
  const name = accountName({ email, phone });
  if (name === null) return phone;
  return 'email' in name ? name.email : name.phone;
}
