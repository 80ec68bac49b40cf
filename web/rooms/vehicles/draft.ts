import { z } from 'zod';
import { type Vehicle, vehicleFields } from '#contract/vehicles/endpoints.ts';

const { type, color, year } = vehicleFields.shape;

/** A vehicle while it is being filled in: choices may still be missing, the year is text. */
export const vehicleForm = vehicleFields.extend({
  type: z.string().pipe(type),
  color: z.string().pipe(color),
  year: z.string().transform(Number).pipe(year),
});
export type VehicleDraft = z.input<typeof vehicleForm>;

const blank: VehicleDraft = { plate: '', brand: '', model: '', type: '', year: '', color: '', seats: 4 };

// The brand and model pickers are pages of their own: what was typed in the editor waits here until it is back.
let waiting: { vehicleId: string; draft: VehicleDraft } | null = null;

/** The draft that waits for the editor of this vehicle; an empty id is a new one. */
export function readWaitingDraft(vehicleId: string): VehicleDraft | null {
  return waiting?.vehicleId === vehicleId ? waiting.draft : null;
}

/** Keeps what the editor holds, or what a picker changed of it. */
export function keepWaitingDraft(vehicleId: string, part: Partial<VehicleDraft>): void {
  waiting = { vehicleId, draft: { ...blank, ...readWaitingDraft(vehicleId), ...part } };
}

/** The editor has it again, or it has been saved. */
export function forgetWaitingDraft(): void {
  waiting = null;
}

/** Where the editor starts: from the vehicle as it stands, or blank for a new one. */
export function draftOf(vehicle: Vehicle | null): VehicleDraft {
  if (vehicle === null) return blank;
  const { id: _id, ...fields } = vehicle;
  return { ...fields, year: String(fields.year) };
}
