import { z } from 'zod';
import { daySeconds, defineEndpoint, searchLimit } from '../define.ts';
import { order, priceKinds } from '../rides/views.ts';
import {
  id,
  instant,
  metres,
  mostPerPage,
  nameLine,
  offset,
  oneLine,
  place,
  seatCount,
  sentCents,
  shownPlace,
  words,
} from '../units.ts';
import { person } from '../user/endpoints.ts';
import { createOrder, maxDetourMinutes, maxFlexMinutes } from '../rides/endpoints.ts';
import { eventWays, mostEventOrders } from './plan.ts';

export const eventNameLength = 120;
export const eventDescriptionLength = 4000;
export const eventVisibilities = ['public', 'link'] as const;
export const maxExpectedPeople = 100_000;
/** The maximum length of an event. */
export const maxEventDays = 14;
/** How long before the start drivers arrive by default, at the earliest and at the latest. */
export const arriveAheadMinutes = { earliest: 45, latest: 15 };
/** How long after the end people leave by default, at the latest. */
export const leaveWithinMinutes = { driver: 30, passenger: 45 };

const seats = {
  /** Seats drivers still have free. */
  seatsOffered: z.number().int(),
  /** Seats that waiting passengers need. */
  seatsNeeded: z.number().int(),
};

export const event = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  place,
  startsAt: z.iso.datetime(),
  endsAt: z.iso.datetime(),
  timeZone: z.string(),
  /** The address of its picture; empty for none. */
  picture: z.string(),
  visibility: z.enum(eventVisibilities),
  expectedPeople: z.number().int().nullable(),
  canceled: z.boolean(),
  organizer: person,
  mine: z.boolean(),
  /** For the outbound. */
  ...seats,
  /** For the return. */
  back: z.object(seats),
});
export type Event = z.output<typeof event>;

const eventFields = z.object({
  name: nameLine(eventNameLength, 'Please enter a name.'),
  description: words(eventDescriptionLength).default(''),
  place,
  /** Local time at the place: `2026-11-24T18:30`. */
  starts: z.string().max(30),
  ends: z.string().max(30),
  visibility: z.enum(eventVisibilities).default('public'),
  expectedPeople: z
    .number()
    .int('Please enter a whole number of people.')
    .min(1, 'Please enter at least 1 person.')
    .max(maxExpectedPeople, `Please enter up to ${maxExpectedPeople} people.`)
    .nullable()
    .default(null),
  /** An uploaded picture, null for none; left out, the picture does not change. */
  picture: id.nullable().optional(),
});
export type EventFields = z.output<typeof eventFields>;

const timeRefusals = [
  'event.timeWrong',
  'event.timePast',
  'event.timeTooFar',
  'event.endsFirst',
  'event.tooLong',
];
const placeRefusals = ['place.noRoadNear', 'place.tooFar'];
/** The secret of an event that is not public, from its link. */
const token = z.string().max(100).default('');

export const listEvents = defineEndpoint({
  method: 'GET',
  path: '/event/list',
  who: 'guest',
  limits: [searchLimit],
  summary:
    'Upcoming events whose name or place contains the text: public ones, soonest first (`soon`) or nearest first (`near`), or those that I organize or travel to (`mine`).',
  input: z.object({
    text: oneLine(100).default(''),
    scope: z.enum(['soon', 'near', 'mine']).default('soon'),
    lon: z.coerce.number().min(-180).max(180).optional(),
    lat: z.coerce.number().min(-90).max(90).optional(),
    offset,
  }),
  output: z.object({ events: z.array(event).max(mostPerPage), total: z.number().int() }),
  refusals: ['event.whereMissing'],
});

export const eventDetail = defineEndpoint({
  method: 'GET',
  path: '/event/detail',
  who: 'guest',
  limits: [searchLimit],
  summary:
    'One event. For an event that is not public, the caller needs the token of its link, or must organize it or travel to it.',
  input: z.object({ id, token }),
  output: event.extend({
    /** The secret of its link, for people who may see and share it; empty for a public event. */
    token: z.string(),
    /** The short path that opens it, also without an account: `/e/…`. */
    link: z.string(),
  }),
  refusals: ['event.notFound'],
});
export type EventDetail = z.output<(typeof eventDetail)['output']>;

export const eventRides = defineEndpoint({
  method: 'GET',
  path: '/event/rides',
  who: 'guest',
  limits: [searchLimit],
  summary: 'The rides with free seats to and from an event, and the open requests, as far as I may see them.',
  input: z.object({ id, token }),
  output: z.object({
    entries: z
      .array(
        z.object({
          orderId: z.string(),
          role: z.enum(['driver', 'passenger']),
          way: z.enum(eventWays),
          person,
          /** The end of their route that is not the event. */
          place: shownPlace,
          at: z.iso.datetime(),
          timeZone: z.string(),
          /** Free seats in the car, or needed ones. */
          seats: z.number().int(),
          mine: z.boolean(),
        }),
      )
      .max(2 * mostEventOrders),
  }),
  refusals: ['event.notFound'],
});
export type EventEntry = z.output<(typeof eventRides)['output']>['entries'][number];

export const createEvent = defineEndpoint({
  method: 'POST',
  path: '/event/create',
  who: 'user',
  summary: 'Creates an event. Its time zone is that of its place.',
  limits: [{ countedAs: 'events', per: 'caller', most: 30, withinSeconds: daySeconds }],
  input: eventFields,
  output: event,
  refusals: [...timeRefusals, ...placeRefusals, 'upload.gone'],
});

export const updateEvent = defineEndpoint({
  method: 'POST',
  path: '/event/update',
  who: 'user',
  summary:
    'Changes my event. If its time or place changes, people who travel to it get a notification; their orders do not change.',
  input: eventFields.extend({ id }),
  output: event,
  refusals: [...timeRefusals, ...placeRefusals, 'upload.gone', 'event.notFound', 'event.over'],
});

export const cancelEvent = defineEndpoint({
  method: 'POST',
  path: '/event/cancel',
  who: 'user',
  summary:
    'Cancels my event. People who travel to it get a notification; their agreed rides stay until they cancel them.',
  input: z.object({ id }),
  output: event,
  refusals: ['event.notFound', 'event.over'],
});

const joining = {
  id,
  token,
  from: place,
  seats: seatCount,
  visibility: z.enum(['all users', 'all contacts']).default('all users'),
  contactWith: z.enum(['phone', 'email', 'chat']).default('chat'),
};
const joinRefusals = [...createOrder.refusals, 'event.notFound', 'event.over', 'event.noWay'];

export const joinAsDriver = defineEndpoint({
  method: 'POST',
  path: '/event/join-as-driver',
  who: 'user',
  summary:
    'Offers a ride to an event, a ride home, or both. With both, either both are published or neither is.',
  input: z.object({
    ...joining,
    vehicleId: id.nullable(),
    priceKind: z.enum(priceKinds).default('perPerson'),
    costCents: sentCents.min(0, 'Please enter a price of zero or more.').default(0),
    maxDetourMinutes: z.number().int().min(0).max(maxDetourMinutes).nullable().default(null),
    instant: z.boolean().default(false),
    /** Null: drives in that direction without passengers. */
    there: z
      .object({ departsAt: instant, flexMinutes: z.number().int().min(0).max(maxFlexMinutes) })
      .nullable(),
    back: z
      .object({ departsAt: instant, flexMinutes: z.number().int().min(0).max(maxFlexMinutes) })
      .nullable(),
  }),
  output: z.object({ orders: z.array(order).max(2) }),
  refusals: joinRefusals,
});

export const joinAsPassenger = defineEndpoint({
  method: 'POST',
  path: '/event/join-as-passenger',
  who: 'user',
  summary:
    'Requests a ride to an event, a ride home, or both. With both, either both are published or neither is.',
  input: z.object({
    ...joining,
    offerCents: sentCents.nullable().default(null),
    walkMetres: metres.max(5000).default(600),
    there: z.object({ earliestAt: instant, latestAt: instant }).nullable(),
    back: z.object({ earliestAt: instant, latestAt: instant }).nullable(),
  }),
  output: z.object({ orders: z.array(order).max(2) }),
  refusals: joinRefusals,
});
