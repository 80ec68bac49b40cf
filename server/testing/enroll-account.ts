import { randomUUID } from 'node:crypto';
import type { App } from '../app-type.ts';
import { hashPassword } from '../features/identity/password-hash.ts';
import { emailTaken } from '../features/identity/policy.ts';
import * as store from '../features/identity/store.ts';

type Account = Omit<store.NewUser, 'id' | 'passwordHash' | 'createdAt'> & { password: string };

/**
 * Creates a verified and complete account. Refuses `access.emailTaken` when the email
 * or the phone has an account.
 */
export async function enrollAccount(
  { clock, transact }: App,
  { password, ...fields }: Account,
): Promise<string> {
  const now = clock.now();
  const id = randomUUID();
  const passwordHash = await hashPassword(password);
  const phoneVerifiedAt = (fields.phone ?? '') === '' ? null : now;
  const complete = { emailVerifiedAt: now, phoneVerifiedAt, profileCompletedAt: now, createdAt: now };
  const made = await transact('enroll account', (tx) =>
    store.insertUser(tx, { ...complete, ...fields, id, passwordHash }),
  );
  if (made === null) throw emailTaken();
  return id;
}
