import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import type { StaffRole } from '#contract/admin/roles.ts';
import type { Platform } from '../platform/platform.ts';
import { hourMs, later } from '../platform/clock.ts';
import { hashSecret, newSecret } from '../platform/security/session.ts';
import { sessions, users, passkeys, signIns } from '../schema/identity.ts';

/** A signed-in person in a test. */
export interface TestPerson {
  id: string;
  email: string;
  token: string;
}

/** The properties of a test's person; `isAdmin` is short for the role of an admin. */
export interface PersonOptions {
  isAdmin?: boolean;
  staffRole?: StaffRole | null;
  /** Team members have one. */
  hasSecondFactor?: boolean;
}

/** Makes a person with a completed profile and a session, without going through sign-up. */
export async function newPerson(
  { db, clock }: Pick<Platform, 'db' | 'clock'>,
  name: string,
  { isAdmin = false, staffRole = isAdmin ? 'admin' : null, hasSecondFactor }: PersonOptions = {},
): Promise<TestPerson> {
  const id = randomUUID();
  const email = `${name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '.')}.${id.slice(0, 8)}@example.com`;
  const now = clock.now();
  await db.insert(users).values({
    id,
    email,
    name,
    staffRole,
    passwordHash: '',
    emailVerifiedAt: now,
    profileCompletedAt: now,
    createdAt: now,
  });
  const { token } = await newSession({ db, clock }, id);
  if (hasSecondFactor ?? staffRole !== null) await giveSecondFactor({ db, clock }, id);
  return { id, email, token };
}

/** Signs a person in who has just confirmed their identity; team members did so with the second factor. */
export async function newSession(
  { db, clock }: Pick<Platform, 'db' | 'clock'>,
  userId: string,
): Promise<{ id: string; token: string }> {
  const [id, token, familyId] = [randomUUID(), newSecret(), randomUUID()];
  const now = clock.now();
  // Tests move the clock by days; their people stay signed in.
  const expiresAt = later(now, 400 * 24 * hourMs);
  await db.insert(sessions).values({
    id,
    userId,
    family: familyId,
    accessHash: hashSecret(token),
    refreshHash: hashSecret(newSecret()),
    expiresAt,
    refreshExpiresAt: expiresAt,
    createdAt: now,
  });
  const family = { family: familyId, userId, createdAt: now, usedAt: now };
  await db.insert(signIns).values({ ...family, provedAt: expiresAt, secondFactorAt: null });
  return { id, token };
}

/** Sets when a person last confirmed their identity, in all their sign-ins. */
export async function setProvedAt({ db }: Pick<Platform, 'db'>, userId: string, at: Date): Promise<void> {
  await db.update(signIns).set({ provedAt: at }).where(eq(signIns.userId, userId));
}

/** Gives a person a passkey, which they have used in all their sign-ins. */
export async function giveSecondFactor(
  { db, clock }: Pick<Platform, 'db' | 'clock'>,
  userId: string,
): Promise<void> {
  const now = clock.now();
  const key = { credentialId: newSecret(), publicKey: '', name: 'A key' };
  await db.insert(passkeys).values({ id: randomUUID(), userId, ...key, createdAt: now });
  await db.update(signIns).set({ secondFactorAt: now }).where(eq(signIns.userId, userId));
}
