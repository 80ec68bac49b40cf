import { z } from 'zod';
import { maxVia } from '#contract/rides/endpoints.ts';
import { noPreferences, preferences } from '#contract/rides/preferences.ts';
import { priceKinds, visibilities } from '#contract/rides/views.ts';
import { place } from '#contract/units.ts';
import type { Side } from '../../core/side.ts';

const chosenPlace = place.nullable().catch(null);

/**
 * Everything a plan can hold, whichever kind it is: one schema for its forms and for what is kept of them.
 * What a side does not ask keeps its first value.
 */
const planValues = z.object({
  /** The order, series or ride that the plan changes; empty for a new plan. */
  of: z.string().catch(''),
  from: chosenPlace,
  /** Stops of a driver on the way. */
  via: z.array(place).max(maxVia).catch([]),
  to: chosenPlace,
  /**
   * Date and time as the starting place's clocks show them, `2026-11-24T07:15`; empty until a sensible one is
   * filled in.
   */
  local: z.string().catch(''),
  /** A driver may leave this much later, a passenger be picked up this much earlier or later. */
  flexMinutes: z.number().int().catch(30),
  seats: z.number().int().min(1).max(8).catch(1),
  vehicleId: z.string().nullable().catch(null),
  /** Null follows the advice: a price where the advised share is above the minimum, else free. */
  price: z
    .enum(['free', ...priceKinds])
    .nullable()
    .catch(null),
  /** Null follows the advice. */
  costCents: z.number().int().nullable().catch(null),
  maxDetourMinutes: z.number().int().nullable().catch(null),
  instant: z.boolean().catch(false),
  /** What a passenger pays per person at most; null leaves it open. */
  offerCents: z.number().int().nullable().catch(null),
  walkMetres: z.number().int().catch(600),
  visibility: z.enum(visibilities).catch('all users'),
  tagIds: z.array(z.string()).catch([]),
  note: z.string().catch(''),
  /** Null follows the profile. */
  contactWith: z.enum(['phone', 'email', 'chat']).nullable().catch(null),
  flightNumber: z.string().catch(''),
  eventId: z.string().nullable().catch(null),
  preferences: preferences.catch(noPreferences),
  /** The way back, planned in one go; null for one way. */
  back: z
    .object({ local: z.string(), seats: z.number().int().min(1).max(8) })
    .nullable()
    .catch(null),
  /** On which days it comes back, and until when (`2026-12-18`); null for once. */
  weekly: z
    .object({ weekdays: z.array(z.number().int().min(1).max(7)), untilDay: z.string() })
    .nullable()
    .catch(null),
});

export type PlanValues = z.output<typeof planValues>;

const schemas = {
  driver: planValues.extend({
    seats: z.number().int().min(1).max(8).catch(3),
    flexMinutes: z.number().int().catch(15),
  }),
  passenger: planValues,
} as const satisfies Record<Side, z.ZodType<PlanValues>>;

/** A plan in which nothing has been filled in. */
export const emptyPlan = {
  driver: schemas.driver.parse({}),
  passenger: schemas.passenger.parse({}),
} as const satisfies Record<Side, PlanValues>;

/** What was kept of a plan, field by field: what makes no sense is as in an empty one. */
export const parsePlan = (side: Side, raw: unknown): PlanValues =>
  schemas[side].catch(emptyPlan[side]).parse(raw ?? {});
