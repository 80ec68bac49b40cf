import { z } from 'zod';
import { defineEndpoint } from '../define.ts';
import { id, place } from '../units.ts';

export const event = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  place,
  startsAt: z.iso.datetime(),
  endsAt: z.iso.datetime(),
  timeZone: z.string(),
  /** Seats drivers still have free on the way there. */
  seatsOffered: z.number().int(),
  /** Seats that waiting passengers look for. */
  seatsNeeded: z.number().int(),
});
export type Event = z.output<typeof event>;

export const listEvents = defineEndpoint({
  method: 'GET',
  path: '/event/list',
  who: 'guest',
  summary: 'Events to come whose name or place holds the typed text, soonest first.',
  input: z.object({ text: z.string().trim().max(100).default('') }),
  output: z.object({ events: z.array(event) }),
  refusals: [],
});

export const eventDetail = defineEndpoint({
  method: 'GET',
  path: '/event/detail',
  who: 'guest',
  summary: 'One event.',
  input: z.object({ id }),
  output: event,
  refusals: ['event.notFound'],
});
