import { and, asc, eq, sql } from 'drizzle-orm';
import { mostShares } from '#contract/safety/endpoints.ts';
import type { Db } from '../../platform/database/db.ts';
import { inPages } from '../../platform/database/delete-pages.ts';
import type { Erasure } from '../../platform/erasure.ts';
import { alarms, tripShares, trustedContacts } from '../../schema/safety.ts';
import { holdPerson } from '../identity/queries.ts';
import { hasRideEnded } from '../orders/queries.ts';

export type ShareRow = typeof tripShares.$inferSelect;
export type TrustedRow = typeof trustedContacts.$inferSelect;

/** Inserts a link; false where its owner has as many to that ride as one can have. */
export async function insertShare(tx: Db, row: ShareRow): Promise<boolean> {
  // Otherwise two made at once would each be counted without the other.
  await holdPerson(tx, row.ownerId);
  if ((await tx.$count(tripShares, ownShares(row.rideId, row.ownerId))) >= mostShares) return false;
  await tx.insert(tripShares).values(row);
  return true;
}

const ownShares = (rideId: string, ownerId: string) =>
  and(eq(tripShares.rideId, rideId), eq(tripShares.ownerId, ownerId));

export async function shareBySecret(db: Db, secretHash: string): Promise<ShareRow | null> {
  return (await db.select().from(tripShares).where(eq(tripShares.secretHash, secretHash)))[0] ?? null;
}

export async function sharesOf(db: Db, rideId: string, ownerId: string): Promise<ShareRow[]> {
  return db
    .select()
    .from(tripShares)
    .where(ownShares(rideId, ownerId))
    .orderBy(asc(tripShares.createdAt))
    .limit(mostShares);
}

export async function endShare(tx: Db, id: string, ownerId: string): Promise<ShareRow | null> {
  const ended = await tx
    .delete(tripShares)
    .where(and(eq(tripShares.id, id), eq(tripShares.ownerId, ownerId)))
    .returning();
  return ended[0] ?? null;
}

/** Deletes links to rides that ended by `endedBy`. */
export const forgetShares = (db: Db, endedBy: Date): Promise<void> =>
  inPages(tripShares, sql`where ${hasRideEnded(tripShares.rideId, endedBy)}`, (page) =>
    db.delete(tripShares).where(page),
  );

export async function trustedOf(db: Db, ownerId: string): Promise<TrustedRow | null> {
  return (await db.select().from(trustedContacts).where(eq(trustedContacts.ownerId, ownerId)))[0] ?? null;
}

export async function keepTrusted(tx: Db, row: TrustedRow): Promise<void> {
  const { name, phone, email } = row;
  await tx
    .insert(trustedContacts)
    .values(row)
    .onConflictDoUpdate({ target: trustedContacts.ownerId, set: { name, phone, email } });
}

export async function dropTrusted(tx: Db, ownerId: string): Promise<void> {
  await tx.delete(trustedContacts).where(eq(trustedContacts.ownerId, ownerId));
}

export async function insertAlarm(tx: Db, row: typeof alarms.$inferInsert): Promise<void> {
  await tx.insert(alarms).values(row);
}

export const erasure = {
  trip_shares: async (tx, personId) => {
    await tx.delete(tripShares).where(eq(tripShares.ownerId, personId));
    await tx.delete(tripShares).where(eq(tripShares.toId, personId));
  },
  trusted_contacts: (tx, personId) => tx.delete(trustedContacts).where(eq(trustedContacts.ownerId, personId)),
  alarms: (tx, personId) => tx.delete(alarms).where(eq(alarms.personId, personId)),
} satisfies Erasure;
