import { z } from 'zod';
import { defineEndpoint, publishLimit } from '../define.ts';
import { id, maxOpenOrders, mostOfOne, planAheadDays } from '../units.ts';
import { createOrder, requestFields, rideFields } from './endpoints.ts';
import { order, roles } from './views.ts';

/** How far ahead the days of recurring rides are published; later ones follow as time passes. */
export const publishAheadDays = 14;

const day = z.iso.date({ error: 'Please select a date.' });
const localTime = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'Please enter a time.');

/**
 * The common fields of all days: an order without its time. An event has a single date, so they have none.
 */
export const recurringOrder = z.discriminatedUnion('role', [
  rideFields.omit({ departsAt: true, eventId: true }),
  requestFields.omit({ earliestAt: true, latestAt: true, eventId: true }).extend({
    /** The pick-up may be this much earlier or later than the weekly time. */
    flexMinutes: z.number().int().min(0).max(360).default(30),
  }),
]);
export type RecurringOrder = z.output<typeof recurringOrder>;

/** The days of the week, and the local time at the departure place. */
export const seriesRule = z.object({
  /** ISO days of the week, 1 is Monday. */
  weekdays: z
    .array(z.number().int().min(1).max(7))
    .min(1, 'Please select at least one day.')
    .max(7)
    .transform((days) => [...new Set(days)].toSorted((a, b) => a - b)),
  localTime,
  fromDay: day,
  /** The last day, at most 90 days ahead; it can be extended as time passes. */
  untilDay: day,
});
export type SeriesRule = z.output<typeof seriesRule>;

export const seriesFields = z.object({ order: recurringOrder, rule: seriesRule });

/**
 * The state of one day: not published yet; open; joined (or under way); over; skipped; canceled by itself;
 * refused, with the reason.
 */
export const seriesDayStates = [
  'planned',
  'open',
  'matched',
  'over',
  'skipped',
  'canceled',
  'refused',
] as const;

export const series = z.object({
  id: z.string(),
  role: z.enum(roles),
  state: z.enum(['running', 'ended']),
  order: recurringOrder,
  rule: seriesRule,
  timeZone: z.string(),
  /** The recurring rides of the return, or of the outbound. */
  pairedId: z.string().nullable(),
  /** From today on. */
  days: z
    .array(
      z.object({
        day: z.string(),
        /** The weekly time; a day edited by itself may be at another. */
        at: z.iso.datetime(),
        state: z.enum(seriesDayStates),
        orderId: z.string().nullable(),
        /** Edited by itself: an edit of all days leaves it alone. */
        edited: z.boolean(),
        /** Why it could not be published, as a dotted word; else empty. */
        reason: z.string(),
      }),
    )
    .max(mostOfOne),
});
export type Series = z.output<typeof series>;

const seriesRefusals = [
  ...createOrder.refusals.filter((reason) => reason !== 'order.eventNotFound'),
  'series.noDay',
  'series.tooFar',
] as const;

export const createPair = defineEndpoint({
  method: 'POST',
  path: '/order/create-return',
  who: 'user',
  summary:
    'Publishes an outbound and a return ride or request: either both or neither. Each links to the other.',
  limits: [publishLimit],
  input: z.object({
    order: z.discriminatedUnion('role', [rideFields, requestFields]),
    back: z.discriminatedUnion('role', [rideFields, requestFields]),
  }),
  output: z.object({ order, back: order }),
  refusals: [...createOrder.refusals, 'order.backTooEarly', 'order.backRole'],
});

export const createSeries = defineEndpoint({
  method: 'POST',
  path: '/series/create',
  who: 'user',
  summary: `Creates a weekly ride or request, or an outbound and a return one; the server publishes its days ${publishAheadDays} days ahead. A return with an earlier time of day than the outbound leaves on the day after.`,
  limits: [publishLimit],
  input: z.object({ series: seriesFields, back: seriesFields.nullable().default(null) }),
  output: z.object({ series: z.array(series).max(2) }),
  refusals: [...seriesRefusals, 'order.backTooEarly', 'order.backRole'],
});

export const listSeries = defineEndpoint({
  method: 'GET',
  path: '/series/list',
  who: 'user',
  summary: 'My weekly rides and requests that are running.',
  input: z.object({}),
  output: z.object({ series: z.array(series).max(maxOpenOrders) }),
  refusals: [],
});

export const seriesDetail = defineEndpoint({
  method: 'GET',
  path: '/series/detail',
  who: 'user',
  summary: `One of my series, with its days for the next ${planAheadDays} days.`,
  input: z.object({ id }),
  output: z.object({ series }),
  refusals: ['series.notFound'],
});

export const skipDay = defineEndpoint({
  method: 'POST',
  path: '/series/skip',
  who: 'user',
  summary: 'Skips one day, or adds it back (`skip: false`), even one that could not be published before.',
  input: z.object({ id, day, skip: z.boolean().default(true) }),
  output: z.object({ series }),
  refusals: ['series.notFound', 'series.noDay', 'series.dayMatched'],
});

export const updateSeries = defineEndpoint({
  method: 'POST',
  path: '/series/update',
  who: 'user',
  summary: 'Changes a series and all its future days that have no bookings and were not edited one by one.',
  limits: [publishLimit],
  input: z.object({ id, series: seriesFields }),
  output: z.object({
    series,
    /** Published days that follow the change, and those that do not. */
    changed: z.number().int(),
    kept: z.number().int(),
  }),
  refusals: [...seriesRefusals, 'series.notFound', 'series.over', 'series.role'],
});

export const endSeries = defineEndpoint({
  method: 'POST',
  path: '/series/end',
  who: 'user',
  summary: 'Ends a series: cancels its future days without bookings and keeps the others.',
  input: z.object({ id }),
  output: z.object({ series, canceled: z.number().int(), kept: z.number().int() }),
  refusals: ['series.notFound', 'series.over'],
});
