import { z } from 'zod';
import { defineEndpoint, publishLimit } from '../define.ts';
import { maxDetourMinutes } from '../rides/endpoints.ts';
import { preferences, preferencesInput } from '../rides/preferences.ts';
import { priceKinds, request, ride } from '../rides/views.ts';
import { cents, id, instant, metres, mostPerPage, place, seatCount, seconds, sentCents } from '../units.ts';

export const maxAlerts = 20;
/** The maximum of hits listed per alert, newest first; `total` counts them all. */
export const hitsListed = 5;
/** The minimum interval between emails about one alert; hits found meanwhile are in the next one. */
export const emailEveryMinutes = 60;

const timeOfDay = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'Please select a time.');
const weekday = z.number().int().min(1).max(7);

/** The times at which a person could leave: one window, or one on some days of every week. */
export const alertTimes = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('once'), earliestAt: instant, latestAt: instant }),
  z.object({
    kind: z.literal('weekly'),
    /** 1 is Monday, 7 Sunday. */
    days: z.array(weekday).min(1, 'Please select at least one day.').max(7),
    /** Local time at the starting point; an end before the start is on the day after. */
    fromTime: timeOfDay,
    toTime: timeOfDay,
    /** The last day on which a window starts. */
    until: z.iso.date({ error: 'Please select a date.' }),
  }),
]);
export type AlertTimes = z.output<typeof alertTimes>;

const way = { from: place, to: place, times: alertTimes, seats: seatCount, preferences: preferencesInput };

/** A passenger's alert, for rides. */
export const rideAlert = z.object({
  ...way,
  role: z.literal('passenger'),
  /** Per person; null leaves it open. */
  offerCents: sentCents.nullable().default(null),
  walkMetres: metres.max(5000).default(600),
});

/** A driver's alert, for requests. The times are those of the departure. */
export const requestAlert = z.object({
  ...way,
  role: z.literal('driver'),
  /** Null: the default of a ride. */
  maxDetourMinutes: z.number().int().min(0).max(maxDetourMinutes).nullable().default(null),
  priceKind: z.enum(priceKinds),
  costCents: sentCents.min(0, 'Please enter a price of zero or more.'),
});

/** An order that fits an alert, with the figures of the shared ride. */
export const alertHit = z.object({
  order: z.discriminatedUnion('role', [
    ride.omit({ bookings: true, stops: true, nextAction: true }),
    request.omit({ bookings: true, ride: true, nextAction: true }),
  ]),
  foundAt: z.iso.datetime(),
  unread: z.boolean(),
  pickupAt: z.iso.datetime(),
  dropoffAt: z.iso.datetime(),
  /** The passenger's price for all their seats. */
  fareCents: cents,
  detourSeconds: seconds,
});
export type AlertHit = z.output<typeof alertHit>;

const kept = {
  id: z.string(),
  preferences,
  timeZone: z.string(),
  createdAt: z.iso.datetime(),
  /** When its last window ends. */
  endsAt: z.iso.datetime(),
  /** Matching has ended; the alert stays until its last hit is unusable. */
  ended: z.boolean(),
  hits: z.array(alertHit).max(mostPerPage),
  total: z.number().int(),
  unread: z.number().int(),
};

export const alert = z.discriminatedUnion('role', [
  rideAlert.extend(kept),
  requestAlert.omit({ maxDetourMinutes: true }).extend({ ...kept, maxDetourSeconds: seconds }),
]);
export type Alert = z.output<typeof alert>;

export const listAlerts = defineEndpoint({
  method: 'GET',
  path: '/alert/list',
  who: 'user',
  summary: 'My alerts, newest first, each with its newest matches that are still open.',
  input: z.object({}),
  output: z.object({ alerts: z.array(alert).max(mostPerPage), unread: z.number().int() }),
  refusals: [],
});

export const createAlert = defineEndpoint({
  method: 'POST',
  path: '/alert/create',
  who: 'user',
  summary: 'Saves an alert. I get a notification when a matching order is published.',
  limits: [publishLimit],
  input: z.object({ alert: z.discriminatedUnion('role', [rideAlert, requestAlert]) }),
  output: alert,
  refusals: [
    'place.noRoadNear',
    'place.tooFar',
    'place.same',
    'place.noRoute',
    'order.timePast',
    'order.timeTooFar',
    'order.windowWrong',
    'order.offerTooLow',
    'order.priceTooLow',
    'order.amountTooHigh',
    'order.womenNotAllowed',
    'alert.noDay',
    'alert.duplicate',
    'alert.tooMany',
  ],
});

export const readAlert = defineEndpoint({
  method: 'POST',
  path: '/alert/read',
  who: 'user',
  summary: 'Marks the matches of an alert as seen.',
  input: z.object({ id }),
  output: z.object({}),
  refusals: ['alert.notFound'],
});

export const deleteAlert = defineEndpoint({
  method: 'POST',
  path: '/alert/delete',
  who: 'user',
  summary: 'Deletes an alert and its matches.',
  input: z.object({ id }),
  output: z.object({}),
  refusals: ['alert.notFound'],
});
