import { randomUUID } from 'node:crypto';
import type { App } from '../../app-type.ts';
import type { Db } from '../../platform/database/db.ts';
import type { Platform } from '../../platform/platform.ts';
import { noteDeed } from '../../platform/security/audit-log.ts';
import { checkNewPassword } from './change-password.ts';
import { hashPassword } from './password-hash.ts';
import { emailTaken, domainNotAllowed, maySignUp } from './policy.ts';
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

interface DirectoryNames {
  name: string;
  firstName: string;
  lastName: string;
}

/**
 * Finds or creates the account with an email address, in the caller's transaction, for an organization's
 * directory, whose addresses count as verified. The person agrees to the terms at their first sign-in.
 * Refuses `access.domainNotAllowed`.
 */
export async function accountForDirectory(
  { env, clock }: Pick<Platform, 'env' | 'clock'>,
  tx: Db,
  { email, language, ...names }: DirectoryNames & { email: string; language: 'en' | 'zh' },
): Promise<string> {
  const found = await store.findUser(tx, { email });
  if (found !== null) return found.id;
  if (!maySignUp(email, env.ALLOWED_EMAIL_DOMAINS)) throw domainNotAllowed(env.ALLOWED_EMAIL_DOMAINS);
  const now = clock.now();
  const fresh = { id: randomUUID(), email, emailVerifiedAt: now, passwordHash: '', language, createdAt: now };
  const made = await store.insertUser(tx, { ...fresh, ...names });
  // Another call created it at the same moment.
  return made?.id ?? (await store.findUser(tx, { email }))!.id;
}

/** Gives an account the names from its directory, in the caller's transaction. */
export async function nameAccount(
  { outbox }: Pick<Platform, 'outbox'>,
  tx: Db,
  userId: string,
  names: DirectoryNames,
): Promise<void> {
  await store.updateUser(tx, userId, names);
  await outbox.emit(tx, 'profile.changed', { userId }, userId);
}
