import type { z } from 'zod';
import type * as user from '#contract/user/endpoints.ts';
import type { Profile } from '#contract/user/endpoints.ts';
import type { App } from '../../app-type.ts';
import { brokenConstraint } from '../../platform/database/db.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { noSession } from '../../platform/refusal.ts';
import { phoneNeedsCode, phoneOf, phoneTaken } from './phones.ts';
import { invitationPurpose } from './policy.ts';
import * as store from './store.ts';
import { viewProfile } from './view.ts';

type ProfileFields = z.output<typeof user.saveProfile.input>;

/** A person's own profile. */
export async function readProfile(app: App, userId: string): Promise<Profile> {
  const found = await store.userWithLicense(app.db, userId, app.ports.identity.licenseStatusOf);
  if (found === null) throw noSession();
  return viewProfile(found.user, found.license);
}

/**
 * Saves the profile. Removing the phone number needs a confirmed identity. Refuses `access.phoneInvalid`,
 * `user.phoneNeedsCode`, `session.stepUp`.
 */
export async function saveProfile(app: App, caller: Caller, fields: ProfileFields): Promise<Profile> {
  const { db, proofs } = app;
  const before = await store.findUserById(db, caller.userId);
  if (fields.phone === '' && before !== null && before.phone !== '') await proofs.requireRecent(caller);
  return keepProfile(app, caller.userId, fields, null);
}

/**
 * Completes the profile after the first sign-in, and stores who invited the person; ignores an expired or
 * forged invitation. Refuses `access.phoneInvalid`, `user.phoneTaken`.
 */
export const createProfile = (
  app: App,
  userId: string,
  { inviter, ...fields }: z.output<typeof user.createUser.input>,
): Promise<Profile> => keepProfile(app, userId, fields, { inviter });

async function keepProfile(
  app: App,
  userId: string,
  fields: ProfileFields,
  completes: { inviter: string } | null,
): Promise<Profile> {
  const { clock, transact, outbox, signedTokens } = app;
  const number = phoneOf(fields.phone);
  const inviterId = completes && (await signedTokens.verify(invitationPurpose, completes.inviter))?.[0];
  try {
    await transact('save profile', async (tx) => {
      const before = await store.holdUser(tx, userId);
      const sameNumber = before?.phone === number.phone;
      // When the profile is first completed, a number is stored unverified; later only a code changes it.
      const isFirst = completes !== null && before?.profileCompletedAt === null;
      if (!sameNumber && number.phone !== '' && !isFirst) throw phoneNeedsCode();
      const phoneVerifiedAt = sameNumber ? (before?.phoneVerifiedAt ?? null) : null;
      await store.updateUser(tx, userId, { ...fields, ...number, phoneVerifiedAt });
      if (inviterId != null && (await store.rememberInviter(tx, userId, inviterId)))
        await outbox.emit(tx, 'person.invited', { personId: userId, inviterId }, userId);
      if (completes !== null) await store.completeProfile(tx, userId, clock.now());
      if (isFirst) await outbox.emit(tx, 'person.joined', { userId }, userId);
      await outbox.emit(tx, 'profile.changed', { userId }, userId);
    });
  } catch (error) {
    if (brokenConstraint(error) === 'users_phone') throw phoneTaken();
    throw error;
  }
  return readProfile(app, userId);
}

/** Changes how others should contact a person. */
export async function changeContactType(
  { transact, outbox }: App,
  userId: string,
  prefer: store.UserRow['preferContactWith'],
): Promise<void> {
  await transact('change contact type', async (tx) => {
    await store.updateUser(tx, userId, { preferContactWith: prefer });
    await outbox.emit(tx, 'profile.changed', { userId }, userId);
  });
}

/** Records the device on launch; one row per browser and screen. */
export async function registerDevice(
  { transact }: App,
  userId: string,
  device: z.output<typeof user.registerDevice.input>,
): Promise<void> {
  await transact('register device', (tx) =>
    store.keepDevice(tx, {
      ...device,
      userId,
      lastLaunchTime: new Date(device.lastLaunchTime),
      createTime: new Date(device.createTime),
    }),
  );
}
