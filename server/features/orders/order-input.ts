import type { z } from 'zod';
import type * as calls from '#contract/rides/endpoints.ts';
import { minuteMs } from '../../platform/clock.ts';
import { Refusal, refuseField } from '../../platform/refusal.ts';
import { defaultMaxDetourMs } from '../matching/service.ts';

export type RideInput = z.output<typeof calls.rideFields>;
export type RequestInput = z.output<typeof calls.requestFields>;

/** The detour a driver allows, in milliseconds: what they chose, or the default for the drive. */
export const maxDetourOf = (order: RideInput, driveMs: number): number =>
  order.maxDetourMinutes === null ? defaultMaxDetourMs(driveMs) : order.maxDetourMinutes * minuteMs;

/** The columns of an order in addition to its terms. */
export const detailsOf = (order: RideInput | RequestInput) => ({
  visibility: order.visibility,
  tagIds: order.visibility === 'tags' ? [...new Set(order.tagIds)] : [],
  note: order.note,
  contactWith: order.contactWith,
  ...order.preferences,
  flightNumber: order.flightNumber,
  eventId: order.eventId,
});

interface Direction {
  role: 'driver' | 'passenger';
  taken: { from: Date; to: Date };
}

/**
 * Refuses a return order in another role, and one that begins while its owner may still be on the outbound.
 */
export function checkBack(there: Direction, back: Direction): void {
  if (there.role !== back.role)
    throw refuseField('order.backRole', 'back.role', 'Use the same role for your return.');
  if (back.taken.from >= there.taken.to) return;
  throw refuseField(
    'order.backTooEarly',
    back.role === 'driver' ? 'back.departsAt' : 'back.earliestAt',
    'Please choose a later return: you may still be on the outbound trip.',
  );
}

/** Runs checks of the return order: their refusals name fields under `back.` instead of `order.`. */
export const ofBack = <T>(work: () => T | Promise<T>): Promise<T> => under('back', work);

/**
 * Runs checks of one of several orders: their refusals name fields under that order's name instead of
 * `order.`.
 */
export async function under<T>(name: string, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { fields = {}, ...facts } = error.data ?? {};
    const named = Object.entries(fields as Record<string, string>).map(([field, info]) => [
      field.replace(/^(order|rule)\b/, name),
      info,
    ]);
    throw new Refusal(error.reason, error.message, {
      code: error.code,
      data: { ...facts, fields: Object.fromEntries(named) },
    });
  }
}
