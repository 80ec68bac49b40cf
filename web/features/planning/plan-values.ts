import { noPreferences } from '#contract/rides/preferences.ts';
import { priceKinds, visibilities } from '#contract/rides/views.ts';
import { maxSeats, maxVia } from '#contract/units.ts';
import * as shape from '../../core/shape.ts';
import type { Side } from '../../core/side.ts';

const chosenPlace = shape.keptPlace.nullable().catch(null);

/**
 * Everything a plan can hold, whichever kind it is: one schema for its forms and for their drafts. Fields
 * that a side does not ask keep their first value.
 */
const fieldsOfPlan = {
  /** The order, series or ride that the plan changes; empty for a new plan. */
  of: shape.text.catch(''),
  from: chosenPlace,
  /** Stops of a driver on the way. */
  via: shape.list(shape.keptPlace, maxVia).catch([]),
  to: chosenPlace,
  /**
   * Date and time as the starting place's clocks show them, `2026-11-24T07:15`; empty until a sensible one is
   * filled in.
   */
  local: shape.text.catch(''),
  /** A driver may leave this much later, a passenger be picked up this much earlier or later. */
  flexMinutes: shape.whole().catch(30),
  seats: shape.whole(1, maxSeats).catch(1),
  vehicleId: shape.text.nullable().catch(null),
  /** Null follows the advice: a price where the advised share is above the minimum, else free. */
  price: shape
    .oneOf('free', ...priceKinds)
    .nullable()
    .catch(null),
  /** Null follows the advice. */
  costCents: shape.whole().nullable().catch(null),
  maxDetourMinutes: shape.whole().nullable().catch(null),
  instant: shape.flag.catch(false),
  /** What a passenger pays per person at most; null leaves it open. */
  offerCents: shape.whole().nullable().catch(null),
  walkMetres: shape.whole().catch(600),
  visibility: shape.oneOf(...visibilities).catch('all users'),
  tagIds: shape.list(shape.text).catch([]),
  note: shape.text.catch(''),
  /** Null follows the profile. */
  contactWith: shape.oneOf('phone', 'email', 'chat').nullable().catch(null),
  flightNumber: shape.text.catch(''),
  eventId: shape.text.nullable().catch(null),
  preferences: shape
    .fields({ pets: shape.flag, luggage: shape.flag, quiet: shape.flag, women: shape.flag })
    .catch(noPreferences),
  /** The way back, planned in one go; null for one way. */
  back: shape
    .fields({ local: shape.text, seats: shape.whole(1, maxSeats) })
    .nullable()
    .catch(null),
  /** On which days it comes back, and until when (`2026-12-18`); null for once. */
  weekly: shape
    .fields({ weekdays: shape.list(shape.whole(1, 7)), untilDay: shape.text })
    .nullable()
    .catch(null),
};
const planValues = shape.fields(fieldsOfPlan);

export type PlanValues = shape.Shaped<typeof planValues>;

const schemas = {
  driver: shape.fields({
    ...fieldsOfPlan,
    seats: shape.whole(1, maxSeats).catch(3),
    flexMinutes: shape.whole().catch(15),
  }),
  passenger: planValues,
} as const satisfies Record<Side, shape.Schema<PlanValues>>;

const planOf = (side: Side, raw: unknown): PlanValues | undefined => schemas[side].safeParse(raw).data;

const emptyOf = (side: Side): PlanValues => {
  const empty = planOf(side, {});
  if (empty === undefined) throw new Error('A field of a plan has no first value.');
  return empty;
};

/** A plan in which nothing has been filled in. */
export const emptyPlan = {
  driver: emptyOf('driver'),
  passenger: emptyOf('passenger'),
} as const satisfies Record<Side, PlanValues>;

/** The stored fields of a plan, one by one: a senseless one is as in an empty plan. */
export const parsePlan = (side: Side, raw: unknown): PlanValues => planOf(side, raw ?? {}) ?? emptyPlan[side];
