import { z } from 'zod';
import { defineEndpoint } from '../define.ts';
import { candidate } from '../rides/views.ts';
import { id, mostOfOne } from '../units.ts';

/** The minimum interval between two positions of one ride. */
export const positionPauseMs = 2000;

/** When the car reaches a stop ahead, computed from its position. */
export const arrival = z.object({
  kind: z.enum(['start', 'via', 'pickup', 'dropoff', 'end']),
  bookingId: z.string().nullable(),
  at: z.iso.datetime(),
});
export type Arrival = z.output<typeof arrival>;

/** The car's position during a ride, for its driver and the passengers waiting or on board. */
export const carPosition = z.object({
  rideId: z.string(),
  lon: z.number(),
  lat: z.number(),
  headingDegrees: z.number().nullable(),
  at: z.iso.datetime(),
  /** Stops ahead in order; empty where no road leads on from here. A passenger's list has only their own. */
  arrivals: z.array(arrival).max(mostOfOne),
});
export type CarPosition = z.output<typeof carPosition>;

const point = {
  lon: z.number().min(-180, 'Please select a place.').max(180, 'Please select a place.'),
  lat: z.number().min(-90, 'Please select a place.').max(90, 'Please select a place.'),
};

export const tellLocation = defineEndpoint({
  method: 'POST',
  path: '/order/location',
  who: 'user',
  summary:
    'Reports the driver’s position during the ride, up to one every 2 seconds. The server keeps it until the ride ends.',
  input: z.object({
    id,
    ...point,
    /** Clockwise from north; null where the phone does not know it. */
    headingDegrees: z.number().min(0).max(360).nullable().default(null),
  }),
  output: z.object({ position: carPosition }),
  refusals: ['order.notFound', 'order.notUnderWay'],
});

export const tellRiderLocation = defineEndpoint({
  method: 'POST',
  path: '/order/rider-location',
  who: 'user',
  summary:
    'Reports the passenger’s position after one side alone has confirmed the meeting. Where the passenger and the car travel together, the passenger is on board (`boarded`). The server keeps only where they were first together, until the passenger is on board or the ride ends.',
  input: z.object({ bookingId: id, ...point }),
  output: z.object({ boarded: z.boolean() }),
  refusals: ['booking.notFound', 'booking.moved'],
});

export const whereIsCar = defineEndpoint({
  method: 'GET',
  path: '/order/position',
  who: 'user',
  summary:
    'Where the car of my ride is and when it reaches my stops; null if there is no recent position, or outside the ride.',
  input: z.object({ id }),
  output: z.object({ position: carPosition.nullable() }),
  refusals: ['order.notFound'],
});

/**
 * The prefix of a boarding code; the booking, the end and the signature follow, as written by
 * `server/features/trips/rules/boarding-code.ts`.
 */
export const boardingCodePrefix = 'sameway-board:';

export const boardingPass = defineEndpoint({
  method: 'GET',
  path: '/order/boarding-pass',
  who: 'user',
  summary:
    'What a passenger shows the driver when boarding: a PIN, and a signed code that expires after a few minutes.',
  input: z.object({ bookingId: id }),
  output: z.object({
    pin: z.string(),
    code: z.string(),
    endsAt: z.iso.datetime(),
  }),
  refusals: ['booking.notFound', 'booking.moved'],
});

/** A point of P-256, in base64url. */
const publicKey = z.object({ x: z.string(), y: z.string() });

export const boardingKey = defineEndpoint({
  method: 'GET',
  path: '/order/boarding-key',
  who: 'user',
  summary: 'The public keys (P-256) with which a driver’s phone checks boarding codes, even offline.',
  input: z.object({ id }),
  output: publicKey.extend({
    /** While the key is being replaced: those before and after it, which sign codes as well. */
    others: z.array(publicKey).max(mostOfOne),
  }),
  refusals: ['order.notFound'],
});

/** The maximum of rides offered at once to a passenger whose driver let them down. */
export const mostRescues = 3;

export const rescue = defineEndpoint({
  method: 'GET',
  path: '/order/rescue',
  who: 'user',
  summary:
    'Up to 3 rides that match my request after its driver canceled, did not show up or could not continue, best first.',
  input: z.object({ id }),
  output: z.object({
    /**
     * The end of the lost ride; null where no driver has let this request down, or it needs no ride any more.
     */
    because: z.enum(['canceled', 'missed', 'declined', 'brokenOff']).nullable(),
    driverName: z.string(),
    candidates: z.array(candidate).max(mostRescues),
  }),
  refusals: ['order.notFound'],
});
