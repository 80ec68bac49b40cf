import { randomUUID } from 'node:crypto';
import { latestVehicleYear, mostVehicles, type Vehicle } from '#contract/vehicles/endpoints.ts';
import type { App } from '../../../app-type.ts';
import { brokenConstraint, type Db } from '../../../platform/database/db.ts';
import { movedOn, notFound, refuseField, Refusal } from '../../../platform/refusal.ts';
import models from './models.json' with { type: 'json' };
import { namesContaining } from './rules/search-names.ts';
import * as store from './store.ts';

const modelsOf = new Map(Object.entries(models));

/** A person's vehicles, the oldest first. */
export async function listVehicles({ db }: App, ownerId: string): Promise<Vehicle[]> {
  return (await store.vehiclesOf(db, ownerId)).map(viewVehicle);
}

/**
 * Adds a vehicle. Refuses `vehicle.plateTaken`, `vehicle.yearAhead`, and `vehicle.tooMany` beyond ten.
 */
export async function createVehicle(
  { transact, clock }: App,
  ownerId: string,
  fields: store.VehicleFields,
): Promise<Vehicle> {
  checkYear(fields.year, clock.now().getTime());
  const vehicle = { ...fields, id: randomUUID(), ownerId, deletedAt: null, createdAt: clock.now() };
  const added = await onePlate(() =>
    transact('create vehicle', (tx) => store.addVehicle(tx, vehicle, mostVehicles)),
  );
  if (added === null)
    throw new Refusal(
      'vehicle.tooMany',
      `You can save up to ${mostVehicles} vehicles. Please delete one first.`,
    );
  return viewVehicle(added);
}

/** Changes a vehicle. Refuses `vehicle.notFound`, `vehicle.plateTaken`, `vehicle.yearAhead`. */
export async function updateVehicle(
  { transact, clock }: App,
  ownerId: string,
  { id, ...fields }: store.VehicleFields & { id: string },
): Promise<Vehicle> {
  checkYear(fields.year, clock.now().getTime());
  const changed = await onePlate(() =>
    transact('update vehicle', (tx) => store.changeVehicle(tx, ownerId, id, fields)),
  );
  if (changed === null) throw vehicleNotFound();
  return viewVehicle(changed);
}

/** Removes a vehicle. Refuses `vehicle.notFound`, `vehicle.onOpenRide`. */
export async function removeVehicle(
  { transact, clock, ports }: App,
  ownerId: string,
  id: string,
): Promise<void> {
  await transact('remove vehicle', async (tx) => {
    if ((await store.holdVehicle(tx, ownerId, id)) === null) throw vehicleNotFound();
    const isInUse = ports.drivers.isOnOpenRide(tx, id);
    if (!(await store.removeVehicle(tx, id, { now: clock.now(), isInUse })))
      throw movedOn(
        'vehicle.onOpenRide',
        'One of your open rides uses this vehicle. Please change or cancel it first.',
      );
  });
}

/** Brands that contain the text, those that begin with it first. */
export const vehicleBrands = (text: string): string[] => namesContaining([...modelsOf.keys()], text);

/** Models of a brand that contain the text; none for an unknown brand. */
export const vehicleModels = (brand: string, text: string): string[] =>
  namesContaining(modelsOf.get(brand) ?? [], text);

/** Vehicles by id, also removed ones, because past rides refer to them; leaves out unknown ids. */
export async function vehiclesById({ db }: App, ids: readonly string[]): Promise<Map<string, Vehicle>> {
  return new Map((await store.vehiclesById(db, ids)).map((row) => [row.id, viewVehicle(row)]));
}

/**
 * This person's vehicle, or null. Locked until the caller's transaction ends, so that it is not removed
 * meanwhile.
 */
export async function ownVehicle(tx: Db, ownerId: string, id: string): Promise<Vehicle | null> {
  const row = await store.holdVehicle(tx, ownerId, id);
  return row === null ? null : viewVehicle(row);
}

/** @throws Refusal `vehicle.yearAhead` for a model year in the future. */
function checkYear(year: number, now: number): void {
  const latest = latestVehicleYear(now);
  if (year > latest)
    throw refuseField('vehicle.yearAhead', 'year', `Please enter a year up to ${latest}.`, { latest });
}

/** @throws Refusal `vehicle.plateTaken` when the owner has another vehicle with the plate. */
async function onePlate<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (brokenConstraint(error) !== 'vehicles_owner_plate') throw error;
    throw refuseField('vehicle.plateTaken', 'plate', 'You already added a vehicle with this plate.');
  }
}

const vehicleNotFound = () => notFound('vehicle.notFound', 'We couldn’t find this vehicle.');

const viewVehicle = ({ id, plate, brand, model, type, year, color, seats }: store.VehicleRow): Vehicle => ({
  id,
  plate,
  brand,
  model,
  type,
  year,
  color,
  seats,
});
