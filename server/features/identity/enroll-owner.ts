import { randomUUID } from 'node:crypto';
import type { App } from '../../app-type.ts';
import type { Db } from '../../platform/database/db.ts';
import { noteDeed } from '../../platform/security/audit-log.ts';
import { checkNewPassword } from './check-new-password.ts';
import { hashPassword } from './password-hash.ts';
import { emailTaken } from './policy.ts';
import * as store from './store.ts';

interface Owner {
  name: string;
  email: string;
  password: string;
  language: 'en' | 'zh';
  /** Called in the transaction that creates the account, once it is certain that there is no owner. */
  claim: (tx: Db) => Promise<void>;
}

/**
 * Creates the account of the first owner. Its email address counts as verified, because only the operator has
 * the setup link. Refuses `access.passwordCommon`, `access.passwordBreached` and `access.emailTaken`.
 * @returns false if there is already an owner
 */
export async function enrollOwner(
  app: App,
  { name, email, password, language, claim }: Owner,
): Promise<boolean> {
  const { clock, transact } = app;
  await checkNewPassword(app.identity.breached, password, email);
  const passwordHash = await hashPassword(password);
  const now = clock.now();
  return transact('enroll owner', async (tx) => {
    if ((await store.holdOwners(tx)).length > 0) return false;
    await claim(tx);
    const id = randomUUID();
    const made = await store.insertUser(tx, {
      staffRole: 'owner',
      id,
      name,
      email,
      passwordHash,
      language,
      emailVerifiedAt: now,
      profileCompletedAt: now,
      createdAt: now,
    });
    if (made === null) throw emailTaken();
    await noteDeed(tx, { adminId: null, action: 'admin.granted', personId: id, note: 'owner' }, now);
    return true;
  });
}
