import { refuseField } from '../../platform/refusal.ts';
import type { BreachedPasswords } from './breached-passwords.ts';
import { refuseCommonPassword } from './policy.ts';

/**
 * Checks a password that a person is about to set; existing ones are never checked. Refuses
 * `access.passwordCommon` and `access.passwordBreached`.
 */
export async function checkNewPassword(
  breached: BreachedPasswords,
  password: string,
  email: string,
): Promise<void> {
  refuseCommonPassword(password, email);
  if (await breached.isBreached(password))
    throw refuseField(
      'access.passwordBreached',
      'password',
      'This password has appeared in a data breach. Please choose another.',
    );
}
