import { and, asc, eq, inArray, isNull, notExists, notInArray, sql } from 'drizzle-orm';
import { endedRideStates } from '#contract/rides/moves.ts';
import type { Db } from '../../../platform/database/db.ts';
import type { Erasure } from '../../../platform/erasure.ts';
import { users } from '../../../schema/identity.ts';
import { rides } from '../../../schema/rides.ts';
import { vehicles } from '../../../schema/vehicles.ts';

export type VehicleRow = typeof vehicles.$inferSelect;
export type VehicleFields = Omit<VehicleRow, 'id' | 'ownerId' | 'deletedAt' | 'createdAt'>;

const kept = (ownerId: string) => and(eq(vehicles.ownerId, ownerId), isNull(vehicles.deletedAt));

export const vehiclesOf = (db: Db, ownerId: string): Promise<VehicleRow[]> =>
  db.select().from(vehicles).where(kept(ownerId)).orderBy(asc(vehicles.createdAt), asc(vehicles.id));

/** Past rides name removed vehicles, so these are found too. */
export async function vehiclesById(db: Db, ids: readonly string[]): Promise<VehicleRow[]> {
  if (ids.length === 0) return [];
  return db
    .select()
    .from(vehicles)
    .where(inArray(vehicles.id, [...ids]));
}

/** A vehicle of this owner, held until the transaction ends so that it cannot be removed meanwhile. */
export async function holdVehicle(tx: Db, ownerId: string, id: string): Promise<VehicleRow | null> {
  const [row] = await tx
    .select()
    .from(vehicles)
    .where(and(kept(ownerId), eq(vehicles.id, id)))
    .for('no key update');
  return row ?? null;
}

/** Adds a vehicle unless the owner has as many as they may; null then. */
export async function addVehicle(tx: Db, vehicle: VehicleRow, most: number): Promise<VehicleRow | null> {
  // Two vehicles added at once would each count without the other.
  await tx.select({ id: users.id }).from(users).where(eq(users.id, vehicle.ownerId)).for('no key update');
  if ((await tx.$count(vehicles, kept(vehicle.ownerId))) >= most) return null;
  const [row] = await tx.insert(vehicles).values(vehicle).returning();
  return row ?? null;
}

export async function changeVehicle(
  tx: Db,
  ownerId: string,
  id: string,
  fields: VehicleFields,
): Promise<VehicleRow | null> {
  const [row] = await tx
    .update(vehicles)
    .set(fields)
    .where(and(kept(ownerId), eq(vehicles.id, id)))
    .returning();
  return row ?? null;
}

/** Removes a vehicle that no open ride uses; false when one does. The caller holds the vehicle. */
export async function removeVehicle(tx: Db, id: string, now: Date): Promise<boolean> {
  const openRides = tx
    .select({ one: sql`1` })
    .from(rides)
    .where(and(eq(rides.vehicleId, id), notInArray(rides.state, [...endedRideStates])));
  const rows = await tx
    .update(vehicles)
    .set({ deletedAt: now })
    .where(and(eq(vehicles.id, id), isNull(vehicles.deletedAt), notExists(openRides)))
    .returning({ id: vehicles.id });
  return rows.length > 0;
}

export const erasure = {
  vehicles: (tx, personId) => tx.delete(vehicles).where(eq(vehicles.ownerId, personId)),
} satisfies Erasure;
