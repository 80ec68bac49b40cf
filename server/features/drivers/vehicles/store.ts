import { and, asc, eq, inArray, isNull, not, type SQL } from 'drizzle-orm';
import { mostVehicles } from '#contract/vehicles/endpoints.ts';
import type { Db } from '../../../platform/database/db.ts';
import { changesAny, firstRow } from '../../../platform/database/one-row.ts';
import type { Erasure } from '../../../platform/erasure.ts';
import { vehicles } from '../../../schema/vehicles.ts';
import { holdPerson } from '../../identity/queries.ts';

export type VehicleRow = typeof vehicles.$inferSelect;
export type VehicleFields = Omit<VehicleRow, 'id' | 'ownerId' | 'deletedAt' | 'createdAt'>;

const kept = (ownerId: string) => and(eq(vehicles.ownerId, ownerId), isNull(vehicles.deletedAt));

export const vehiclesOf = (db: Db, ownerId: string): Promise<VehicleRow[]> =>
  db
    .select()
    .from(vehicles)
    .where(kept(ownerId))
    .orderBy(asc(vehicles.createdAt), asc(vehicles.id))
    .limit(mostVehicles);

/** Also finds removed vehicles, because past rides refer to them. */
export async function vehiclesById(db: Db, ids: readonly string[]): Promise<VehicleRow[]> {
  if (ids.length === 0) return [];
  return db
    .select()
    .from(vehicles)
    .where(inArray(vehicles.id, [...ids]));
}

/** A vehicle of this owner, locked until the transaction ends so that it cannot be removed meanwhile. */
export const holdVehicle = (tx: Db, ownerId: string, id: string): Promise<VehicleRow | null> =>
  firstRow(
    tx
      .select()
      .from(vehicles)
      .where(and(kept(ownerId), eq(vehicles.id, id)))
      .for('no key update'),
  );

/** Adds a vehicle; null when the owner already has `most`. */
export async function addVehicle(tx: Db, vehicle: VehicleRow, most: number): Promise<VehicleRow | null> {
  // Otherwise two vehicles added at once would each be counted without the other.
  await holdPerson(tx, vehicle.ownerId);
  if ((await tx.$count(vehicles, kept(vehicle.ownerId))) >= most) return null;
  return firstRow(tx.insert(vehicles).values(vehicle).returning());
}

export const changeVehicle = (
  tx: Db,
  ownerId: string,
  id: string,
  fields: VehicleFields,
): Promise<VehicleRow | null> =>
  firstRow(
    tx
      .update(vehicles)
      .set(fields)
      .where(and(kept(ownerId), eq(vehicles.id, id)))
      .returning(),
  );

/** Removes a vehicle unless it is in use; false when it is. The caller holds the lock on the vehicle. */
export const removeVehicle = (
  tx: Db,
  id: string,
  { now, isInUse }: { now: Date; isInUse: SQL },
): Promise<boolean> =>
  changesAny(
    tx
      .update(vehicles)
      .set({ deletedAt: now })
      .where(and(eq(vehicles.id, id), isNull(vehicles.deletedAt), not(isInUse))),
  );

export const erasure = {
  vehicles: (tx, personId) => tx.delete(vehicles).where(eq(vehicles.ownerId, personId)),
} satisfies Erasure;
