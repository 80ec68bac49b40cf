import { randomUUID } from 'node:crypto';
import { and, asc, eq, gt, inArray, sql, type SQL, type SQLWrapper } from 'drizzle-orm';
import { pushDevices } from '../../schema/notifications.ts';
import type { Db } from '../database/db.ts';
import { firstRow } from '../database/one-row.ts';
import { readSetting, writeSetting } from '../database/settings.ts';
import type { Erasure } from '../erasure.ts';

export type PushDevice = typeof pushDevices.$inferSelect;

export const findDevice = (db: Db, id: string): Promise<PushDevice | null> =>
  firstRow(db.select().from(pushDevices).where(eq(pushDevices.id, id)));

/** A device belongs to the account that registered it last. */
export async function keepDevice(tx: Db, device: Omit<typeof pushDevices.$inferInsert, 'id'>): Promise<void> {
  await tx
    .insert(pushDevices)
    .values({ ...device, id: randomUUID() })
    .onConflictDoUpdate({ target: pushDevices.endpoint, set: device });
}

export async function dropDevice(tx: Db, userId: string, endpoint: string): Promise<void> {
  await tx.delete(pushDevices).where(and(eq(pushDevices.userId, userId), eq(pushDevices.endpoint, endpoint)));
}

/** Forgets a device that gets nothing any more, as its carrier says. */
export async function dropEnded(db: Db, id: string): Promise<void> {
  await db.delete(pushDevices).where(eq(pushDevices.id, id));
}

/**
 * Whether the sign-in by which a device was connected still lasts, as a condition: sign-ins belong to a
 * feature, which hands it in.
 */
type IsSignedIn = (family: SQLWrapper) => SQL;

/** Devices of a person whose sign-in still lasts. */
export async function devicesOf(db: Db, userId: string, isSignedIn: IsSignedIn): Promise<{ id: string }[]> {
  return db
    .select({ id: pushDevices.id })
    .from(pushDevices)
    .where(and(eq(pushDevices.userId, userId), isSignedIn(pushDevices.family)));
}

/** True for a person with a device whose sign-in still lasts. */
export const hasDevice = (person: SQLWrapper, isSignedIn: IsSignedIn): SQL =>
  sql`exists (select 1 from ${pushDevices} where ${pushDevices.userId} = ${person} and ${isSignedIn(pushDevices.family)})`;

const devicesAtOnce = 1000;
/** Maximum pages checked in one round; the next round continues after them. */
const mostPages = 2;
const checkedSetting = 'push devices checked';

/** Forgets devices whose sign-in is over, which get nothing before either. */
export async function dropSignedOut(db: Db, isSignedIn: IsSignedIn): Promise<void> {
  const checked = ((await readSetting(db, checkedSetting)) as { afterId: string | null } | undefined)
    ?.afterId;
  let afterId = checked ?? null;
  for (let pages = 0; pages < mostPages; pages++) {
    const page = await db
      .select({ id: pushDevices.id, isOver: sql<boolean>`not ${isSignedIn(pushDevices.family)}` })
      .from(pushDevices)
      .where(afterId === null ? undefined : gt(pushDevices.id, afterId))
      .orderBy(asc(pushDevices.id))
      .limit(devicesAtOnce);
    const over = page.flatMap(({ id, isOver }) => (isOver ? [id] : []));
    if (over.length > 0) await db.delete(pushDevices).where(inArray(pushDevices.id, over));
    afterId = page.length < devicesAtOnce ? null : page.at(-1)!.id;
    if (afterId === null) break;
  }
  if (afterId !== (checked ?? null)) await writeSetting(db, checkedSetting, { afterId });
}

export const pushDeviceErasure = {
  push_devices: (tx, personId) => tx.delete(pushDevices).where(eq(pushDevices.userId, personId)),
} satisfies Erasure;

/** The part of a message that a carrier gets. */
interface Parcel {
  /** JSON (`Pushed`), as the app's service worker reads it. */
  text: string;
  /** How long the push service stores it for a device that cannot be reached. */
  seconds: number;
  /** Whether the device should be woken for it. */
  urgent: boolean;
}

/**
 * Hands a message to the service that reaches a device.
 * @returns whether it was taken; `ended` where the device gets nothing any more, `skipped` where the
 *   configuration does not send to it.
 * @throws Error when it could not be handed over; it is tried again.
 */
export type Carry = (device: PushDevice, parcel: Parcel) => Promise<'taken' | 'ended' | 'skipped'>;
