import { randomUUID } from 'node:crypto';
import type { StaffRole } from '#contract/admin/roles.ts';
import type { Platform } from '../platform/platform.ts';
import { hourMs, later } from '../platform/clock.ts';
import { hashSecret, newSecret } from '../platform/security/session.ts';
import { staffColumnsOf } from '../features/identity/rules/staff-role.ts';
import { sessions, users } from '../schema/identity.ts';

/** A signed-in person in a test. */
export interface TestPerson {
  id: string;
  email: string;
  token: string;
}

/** What a person of a test is; `isAdmin` is short for the role of an admin. */
export interface PersonOptions {
  isAdmin?: boolean;
  staffRole?: StaffRole | null;
}

/** Makes a person with a completed profile and a session, without going through sign-up. */
export async function newPerson(
  { db, clock }: Pick<Platform, 'db' | 'clock'>,
  name: string,
  { isAdmin = false, staffRole = isAdmin ? 'admin' : null }: PersonOptions = {},
): Promise<TestPerson> {
  const id = randomUUID();
  const email = `${name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '.')}.${id.slice(0, 8)}@example.com`;
  const token = newSecret();
  const now = clock.now();
  await db.insert(users).values({
    id,
    email,
    name,
    ...staffColumnsOf(staffRole),
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
