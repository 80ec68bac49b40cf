import { z } from 'zod';
import { daySeconds, defineEndpoint } from '../define.ts';
import { id, oneLine, someOf } from '../units.ts';
import { person } from '../user/endpoints.ts';
import { vehicle } from '../vehicles/endpoints.ts';

/** Maximum links to trips that a person can have at a time. */
export const mostShares = 50;

const when = z.iso.datetime();

export const tripShare = z.object({
  id: z.string(),
  /** Null for a link, which works for every person who has it. */
  to: person.nullable(),
  at: when,
});
export type TripShare = z.output<typeof tripShare>;

export const shareTrip = defineEndpoint({
  method: 'POST',
  path: '/order/share',
  who: 'user',
  summary:
    'Lets somebody watch my ride until it ends: a contact, who gets a letter, or whoever has the link, which is told once.',
  limits: [{ countedAs: 'share', per: 'caller', most: 30, withinSeconds: daySeconds }],
  input: z.object({ id, contactId: id.optional() }),
  output: z.object({ share: tripShare, path: z.string() }),
  refusals: ['order.notFound', 'share.notRiding', 'share.notContact', 'share.tooMany'],
});

export const listShares = defineEndpoint({
  method: 'GET',
  path: '/order/shares',
  who: 'user',
  summary: 'With whom I share a ride.',
  input: z.object({ id }),
  output: z.object({ shares: z.array(tripShare).max(mostShares) }),
  refusals: ['order.notFound'],
});

export const stopSharing = defineEndpoint({
  method: 'POST',
  path: '/order/stop-sharing',
  who: 'user',
  summary: 'Ends one of my shares; its link shows nothing from then on.',
  input: z.object({ shareId: id }),
  output: z.object({ shares: z.array(tripShare).max(mostShares) }),
  refusals: ['share.notFound'],
});

const spot = z.object({ name: z.string(), lon: z.number(), lat: z.number() });

/** A trip shared with a watcher, as the person who shares it sees it. */
export const sharedTrip = z.object({
  driverName: z.string(),
  vehicle: vehicle.pick({ brand: true, model: true, color: true, plate: true }).nullable(),
  onBoard: z.boolean(),
  from: spot,
  to: spot,
  timeZone: z.string(),
  plannedAt: when,
  /** Computed from the car's position; null while no device sends one. */
  expectedAt: when.nullable(),
  car: z.object({ lon: z.number(), lat: z.number(), at: when }).nullable(),
});
export type SharedTrip = z.output<typeof sharedTrip>;

export const watchTrip = defineEndpoint({
  method: 'GET',
  path: '/order/shared',
  who: 'guest',
  summary: 'The trip behind a link, while it lasts; afterwards only that it is over.',
  input: z.object({ code: z.string().min(1).max(100) }),
  output: z.object({ name: z.string(), trip: sharedTrip.nullable() }),
  refusals: ['share.notFound'],
});

/** The contact for an emergency; empty fields where none is set. */
export const trustedContact = z.object({
  name: z.string(),
  /** E.164, or empty. */
  phone: z.string(),
  email: z.string(),
});
export type TrustedContact = z.output<typeof trustedContact>;

export const readTrustedContact = defineEndpoint({
  method: 'GET',
  path: '/user/trusted-contact',
  who: 'user',
  summary: 'Whom I want to be told in an emergency.',
  input: z.object({}),
  output: trustedContact,
  refusals: [],
});

export const saveTrustedContact = defineEndpoint({
  method: 'POST',
  path: '/user/save-trusted-contact',
  who: 'user',
  summary: 'Names them, with a phone number or an e-mail; an empty name names nobody.',
  input: z.object({
    name: oneLine(80),
    phone: z.string().trim().max(40).default(''),
    email: z.union([z.literal(''), z.email('Email format error.')]).default(''),
  }),
  output: trustedContact,
  refusals: ['access.phoneInvalid', 'safety.unreachable'],
});

export const raiseAlarm = defineEndpoint({
  method: 'POST',
  path: '/order/sos',
  who: 'user',
  summary:
    'Tells my trusted contact by SMS and mail where I am, in which car, with whom, and how to follow the trip.',
  input: z.object({
    id,
    lon: z.number().min(-180).max(180).nullable().default(null),
    lat: z.number().min(-90).max(90).nullable().default(null),
  }),
  output: z.object({ told: someOf(z.enum(['sms', 'email'])), name: z.string() }),
  refusals: ['order.notFound', 'share.notRiding'],
});
