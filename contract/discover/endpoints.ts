import { z } from 'zod';
import { defineEndpoint, searchLimit } from '../define.ts';
import { request, ride, roles } from '../rides/views.ts';
import { person } from '../user/endpoints.ts';

const offset = z.coerce.number().int().min(0).default(0);
/** ISO days of the week, 1 is Monday. */
const weekdays = z.array(z.number().int().min(1).max(7));
/** By the clocks of the departure place, to ten minutes: `07:40`. */
const roundTime = z.string();

/** A neighborhood; the point is one of the area's own, nobody's place. */
export const area = z.object({ name: z.string(), detail: z.string(), lon: z.number(), lat: z.number() });
export type Area = z.output<typeof area>;

/** A way between two neighborhoods that several people take at about the same time of day. */
export const popularWay = z.object({
  id: z.string(),
  from: area,
  to: area,
  /** Different people; of them those who drive and those who look for a ride. Somebody can be both. */
  people: z.number().int(),
  drivers: z.number().int(),
  passengers: z.number().int(),
  days: weekdays,
  /** When most of them leave. */
  fromTime: roundTime,
  toTime: roundTime,
  timeZone: z.string(),
  /** The viewer is one of them. */
  mine: z.boolean(),
});
export type PopularWay = z.output<typeof popularWay>;

export const popularWays = defineEndpoint({
  method: 'GET',
  path: '/discover/ways',
  who: 'guest',
  summary:
    'Ways from neighbourhoods around a point that several different people take, most people first. Only what all users may see is counted, and alerts.',
  limits: [searchLimit],
  input: z.object({
    lon: z.coerce.number().min(-180).max(180),
    lat: z.coerce.number().min(-90).max(90),
    offset,
  }),
  output: z.object({
    ways: z.array(popularWay),
    total: z.number().int(),
    /** So many different people it takes for a way to be told. */
    fewest: z.number().int(),
  }),
  refusals: [],
});

/** A way of mine that comes back every week. */
export const ownWay = z.object({
  id: z.string(),
  role: z.enum(roles),
  from: area,
  to: area,
  days: weekdays,
  time: roundTime,
  timeZone: z.string(),
  /** Null where it was seen in single orders of the last weeks. */
  seriesId: z.string().nullable(),
});
export type OwnWay = z.output<typeof ownWay>;

/** Somebody who goes one of my ways every week. */
export const companion = z.object({
  /** By their first name. */
  person,
  isContact: z.boolean(),
  /** Which of my ways it is. */
  wayId: z.string(),
  /** What they do on it. */
  role: z.enum(roles),
  from: area,
  to: area,
  /** The days we share, and when we would meet. */
  days: weekdays,
  time: roundTime,
  timeZone: z.string(),
  /** What taking the other along adds to the drive, to five minutes. */
  detourMinutes: z.number().int(),
  /** Their next order on it that I may see and that is open. */
  next: z.object({ orderId: z.string(), at: z.iso.datetime(), timeZone: z.string() }).nullable(),
});
export type Companion = z.output<typeof companion>;

export const companions = defineEndpoint({
  method: 'GET',
  path: '/discover/people',
  who: 'user',
  summary:
    'My ways of every week, and who else takes them at about the same time, judged by the real detour: most days in common first. Neighbourhoods, never a door.',
  limits: [searchLimit],
  input: z.object({ offset }),
  output: z.object({ ways: z.array(ownWay), people: z.array(companion), total: z.number().int() }),
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
    orders: z.array(
      z.discriminatedUnion('role', [
        ride.omit({ bookings: true, stops: true, nextAction: true }),
        request.omit({ bookings: true, ride: true, nextAction: true }),
      ]),
    ),
    total: z.number().int(),
  }),
  refusals: [],
});
