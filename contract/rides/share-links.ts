import { z } from 'zod';
import { defineEndpoint } from '../define.ts';
import { cents, id } from '../units.ts';
import { priceKinds, roles } from './views.ts';

/**
 * Links to an order, for people outside its audience or without an account. Not to be confused with a shared
 * trip, which others watch while it lasts (contract/safety).
 */
export const orderLink = z.object({
  /** The link's path within the app; null while there is none. */
  path: z.string().nullable(),
  /** The short path that leads there: `/r/…`. */
  short: z.string().nullable(),
  madeAt: z.iso.datetime().nullable(),
});

export const readLink = defineEndpoint({
  method: 'GET',
  path: '/order/link',
  who: 'user',
  summary: 'The link to my ride or request.',
  input: z.object({ id }),
  output: orderLink,
  refusals: ['order.notFound'],
});

export const makeLink = defineEndpoint({
  method: 'POST',
  path: '/order/make-link',
  who: 'user',
  summary:
    'Creates a link to my ride or request, or returns the existing one. `renew` creates a new one, and the old one stops working.',
  input: z.object({ id, renew: z.boolean().default(false) }),
  output: orderLink,
  refusals: ['order.notFound', 'link.over'],
});

const code = z.string().min(1).max(100);
const quarter = z.object({ name: z.string(), detail: z.string() });

/**
 * All that a stranger sees of an order by its link: nothing that gives an exact place or finds the person.
 */
export const linkedOrder = z.object({
  role: z.enum(roles),
  from: quarter,
  to: quarter,
  timeZone: z.string(),
  /** A ride's departure, or a request's window. */
  earliestAt: z.iso.datetime(),
  latestAt: z.iso.datetime(),
  /** Free seats of a ride, needed seats of a request. */
  seats: z.number().int(),
  price: z.object({ kind: z.enum(priceKinds), cents: cents.nullable() }),
  person: z.object({
    shortName: z.string(),
    rating: z.number().nullable(),
    ratingCount: z.number().int(),
  }),
});
export type LinkedOrder = z.output<typeof linkedOrder>;

export const lookAtLink = defineEndpoint({
  method: 'GET',
  path: '/order/linked',
  who: 'guest',
  summary: 'The ride or request behind a link, as a stranger may see it.',
  input: z.object({ code }),
  output: linkedOrder,
  refusals: ['link.notFound'],
});

export const openLink = defineEndpoint({
  method: 'POST',
  path: '/order/open-link',
  who: 'user',
  summary:
    'Adds me to the audience of the ride or request behind a link, so that I can ask to join or invite.',
  input: z.object({ code }),
  output: z.object({ id: z.string(), role: z.enum(roles) }),
  refusals: ['link.notFound'],
});
