import { randomUUID } from 'node:crypto';
import type { Platform } from '../platform/platform.ts';
import { hourMs, later } from '../platform/clock.ts';
import { hashSecret, newSecret } from '../platform/security/session.ts';
import { sessions, users } from '../schema/identity.ts';

/** A signed-in person in a test. */
export interface TestPerson {
  id: string;
  email: string;
  token: string;
}

/** Makes a person with a completed profile and a session, without going through sign-up. */
export async function newPerson(
  { db, clock }: Pick<Platform, 'db' | 'clock'>,
  name: string,
  { isAdmin = false } = {},
): Promise<TestPerson> {
  const id = randomUUID();
  const email = `${name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '.')}.${id.slice(0, 8)}@example.com`;
  const token = newSecret();
  const now = clock.now();
  await db.insert(users).values({
    id,
    email,
    name,
    isAdmin,
    passwordHash: '',
    emailVerifiedAt: now,
    profileCompletedAt: now,
    createdAt: now,
  });
  // Tests move the clock by days; their people stay signed in.
  const expiresAt = later(now, 400 * 24 * hourMs);
  await db.insert(sessions).values({
    id: randomUUID(),
    userId: id,
    family: randomUUID(),
    accessHash: hashSecret(token),
    refreshHash: hashSecret(newSecret()),
    expiresAt,
    refreshExpiresAt: expiresAt,
    createdAt: now,
  });
  return { id, email, token };
}
