import { randomUUID } from 'node:crypto';
import type { Db } from '../../platform/database/db.ts';
import type { Platform } from '../../platform/platform.ts';
import { domainNotAllowed, maySignUp } from './policy.ts';
import * as store from './store.ts';

/** A person's names in their directory. */
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
