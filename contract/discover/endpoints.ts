import { z } from 'zod';
import { mostPerPage, offset } from '../units.ts';
import { defineEndpoint, searchLimit } from '../define.ts';
import { request, ride, roles } from '../rides/views.ts';
import { person } from '../user/endpoints.ts';

/** ISO days of the week, 1 is Monday. */
const weekdays = z.array(z.number().int().min(1).max(7)).max(7);
/** Local time of the departure place, to ten minutes: `07:40`. */
const roundTime = z.string();

/** A neighborhood; its point belongs to the area, not to a person. */
export const area = z.object({ name: z.string(), detail: z.string(), lon: z.number(), lat: z.number() });
export type Area = z.output<typeof area>;

/** A route between two neighborhoods that several people take at about the same time of day. */
export const popularWay = z.object({
  id: z.string(),
  from: area,
  to: area,
  /** Different people, and those who drive or search for a ride; one person can be both. */
  people: z.number().int(),
  drivers: z.number().int(),
  passengers: z.number().int(),
  days: weekdays,
  /** When most of them leave. */
  fromTime: roundTime,
  toTime: roundTime,
  timeZone: z.string(),
  /** Whether the viewer is one of them. */
  mine: z.boolean(),
});
export type PopularWay = z.output<typeof popularWay>;

export const popularWays = defineEndpoint({
  method: 'GET',
  path: '/discover/ways',
  who: 'guest',
  summary:
    'Routes from neighborhoods around a point that several different people travel, most people first. Counts alerts, and the orders that all users may see.',
  limits: [searchLimit],
  input: z.object({
    lon: z.coerce.number().min(-180).max(180),
    lat: z.coerce.number().min(-90).max(90),
    offset,
  }),
  output: z.object({
    ways: z.array(popularWay).max(mostPerPage),
    total: z.number().int(),
    /** The minimum of different people for a route to be shown. */
    fewest: z.number().int(),
  }),
  refusals: [],
});

/** A route that the viewer travels every week. */
export const ownWay = z.object({
  id: z.string(),
  role: z.enum(roles),
  from: area,
  to: area,
  days: weekdays,
  time: roundTime,
  timeZone: z.string(),
  /** Null where it was derived from single orders of the last weeks. */
  recurringId: z.string().nullable(),
});
export type OwnWay = z.output<typeof ownWay>;

/** A person who travels one of the viewer's routes every week. */
export const companion = z.object({
  /** With first name only. */
  person,
  isContact: z.boolean(),
  /** The viewer's route. */
  wayId: z.string(),
  /** The companion's role on it. */
  role: z.enum(roles),
  from: area,
  to: area,
  /** The days both travel, and the meeting time. */
  days: weekdays,
  time: roundTime,
  timeZone: z.string(),
  /** The detour for taking the other along, to five minutes. */
  detourMinutes: z.number().int(),
  /** The companion's next open order on it that the viewer may see. */
  next: z.object({ orderId: z.string(), at: z.iso.datetime(), timeZone: z.string() }).nullable(),
});
export type Companion = z.output<typeof companion>;

export const companions = defineEndpoint({
  method: 'GET',
  path: '/discover/people',
  who: 'user',
  summary:
    'My weekly commutes and the people who travel them at about the same time, by the actual detour, most shared days first. Places are neighborhoods, never addresses.',
  limits: [searchLimit],
  input: z.object({ offset }),
  output: z.object({
    ways: z.array(ownWay).max(mostPerPage),
    people: z.array(companion).max(mostPerPage),
    total: z.number().int(),
  }),
  refusals: [],
});

export const contactsOrders = defineEndpoint({
  method: 'GET',
  path: '/discover/contacts',
  who: 'user',
  summary: 'Open rides and requests of my contacts that I may see, soonest first.',
  limits: [searchLimit],
  input: z.object({ role: z.enum(roles).optional(), offset }),
  output: z.object({
    orders: z
      .array(
        z.discriminatedUnion('role', [
          ride.omit({ bookings: true, stops: true, nextAction: true }),
          request.omit({ bookings: true, ride: true, nextAction: true }),
        ]),
      )
      .max(mostPerPage),
    total: z.number().int(),
  }),
  refusals: [],
});
