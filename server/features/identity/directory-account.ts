import { randomUUID } from 'node:crypto';
import type { Db } from '../../platform/database/db.ts';
import type { Platform } from '../../platform/platform.ts';
import { domainNotAllowed, maySignUp } from './policy.ts';
import * as store from './store.ts';

/** What a directory says of a person. */
interface DirectoryNames {
  name: string;
  firstName: string;
  lastName: string;
}

/**
 * Finds or makes the account with an email, in the caller's transaction: for the directory of an
 * organization, whose word on its people's addresses is taken. The person agrees to the terms when they first
 * sign in. Refuses `access.domainNotAllowed`.
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
  // Another call has made it at the same moment.
  return made?.id ?? (await store.findUser(tx, { email }))!.id;
}

/** Names an account as its directory does, in the caller's transaction. */
export async function nameAccount(
  { outbox }: Pick<Platform, 'outbox'>,
  tx: Db,
  userId: string,
  names: DirectoryNames,
): Promise<void> {
  await store.updateUser(tx, userId, names);
  await outbox.emit(tx, 'profile.changed', { userId }, userId);
}
