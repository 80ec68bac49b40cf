import { z } from 'zod';
import { latestVehicleYear, type Vehicle, vehicleFields } from '#contract/vehicles/endpoints.ts';
import { now } from '../../core/clock.ts';
import { keepDraft, readDraft } from '../../core/drafts.ts';

const { type, color, year } = vehicleFields.shape;

/** A vehicle while it is being filled in: choices may still be missing, the year is text. */
export const vehicleForm = vehicleFields.extend({
  type: z.string().pipe(type),
  color: z.string().pipe(color),
  year: z
    .string()
    .transform(Number)
    .pipe(
      year.refine((typed) => typed <= latestVehicleYear(now()), {
        error: () => `Please enter a year up to ${latestVehicleYear(now())}.`,
      }),
    ),
});
export type VehicleDraft = z.input<typeof vehicleForm>;

const blank: VehicleDraft = { plate: '', brand: '', model: '', type: '', year: '', color: '', seats: 4 };

const kept = z
  .object({
    plate: z.string(),
    brand: z.string(),
    model: z.string(),
    type: z.string(),
    year: z.string(),
    color: z.string(),
    seats: z.number(),
  })
  .partial();

/** Under which name the editor of a vehicle keeps what was typed; an empty id is a new one. */
export const draftName = (vehicleId: string): string => `vehicle.${vehicleId}`;

/**
 * What the editor of this vehicle holds so far, for the pages that pick its brand and model; null where it is
 * untouched.
 */
export function readVehicleDraft(vehicleId: string): VehicleDraft | null {
  const parsed = kept.safeParse(readDraft(draftName(vehicleId)));
  return parsed.success ? { ...blank, ...parsed.data } : null;
}

/** Keeps what the editor holds, or what a picker changed of it. */
export function keepVehicleDraft(vehicleId: string, part: Partial<VehicleDraft>): void {
  keepDraft(draftName(vehicleId), { ...blank, ...readVehicleDraft(vehicleId), ...part });
}

/** The first values of the editor: the current vehicle, or blank for a new one. */
export function draftOf(vehicle: Vehicle | null): VehicleDraft {
  if (vehicle === null) return blank;
  const { id: _id, ...fields } = vehicle;
  return { ...fields, year: String(fields.year) };
}
