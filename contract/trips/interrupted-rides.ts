import { z } from 'zod';
import { defineEndpoint } from '../define.ts';
import { dispute, payment } from '../payments/views.ts';
import { breakOffKinds, brokenPlaces } from '../rides/moves.ts';
import { ride } from '../rides/views.ts';
import {
  cents,
  id,
  instant,
  metres,
  mostOfOne,
  mostPerPage,
  offset,
  reasonLength,
  sentCents,
  words,
} from '../units.ts';
import { person } from '../user/endpoints.ts';

const lon = z.coerce.number().min(-180).max(180);
const lat = z.coerce.number().min(-90).max(90);
const kind = z.enum(breakOffKinds);
const placeRefusals = ['place.noRoadNear', 'place.tooFar'] as const;

/** The distance a passenger on board has ridden, and the part of their share due for it. */
const ridden = {
  riddenMetres: metres,
  routeMetres: metres,
  fareCents: cents,
  shareCents: cents,
};

export const breakOffPreview = defineEndpoint({
  method: 'GET',
  path: '/order/break-off-preview',
  who: 'user',
  summary:
    'A preview of ending my ride early: where it ends, what each passenger pays, and who pays nothing.',
  input: z.object({ id, lon: lon.optional(), lat: lat.optional() }),
  output: z.object({
    may: z.boolean(),
    /**
     * `chosen` where the device's last position is unknown or older than ten minutes; `stop` is the last stop
     * the car has left.
     */
    source: z.enum(brokenPlaces),
    place: z.string(),
    lon: z.number(),
    lat: z.number(),
    /** Passengers who have joined and are not on board. */
    notPicked: z.number().int(),
    aboard: z.array(z.object({ bookingId: z.string(), name: z.string(), ...ridden })).max(mostOfOne),
    /** Whether a reason other than breakdown or safety is a strike for the driver. */
    strike: z.boolean(),
    /** Hours during which passengers may object before the capture. */
    objectHours: z.number().int(),
  }),
  refusals: ['order.notFound', ...placeRefusals],
});

export const breakOff = defineEndpoint({
  method: 'POST',
  path: '/order/break-off',
  who: 'user',
  summary:
    'Ends the ride early because the driver cannot continue. Passengers on board pay for the part they rode, the others pay nothing.',
  input: z.object({
    id,
    kind,
    /** Required where it is neither a breakdown nor safety. */
    reason: words(reasonLength),
    /** The place, if the device does not send its position. */
    place: z.object({ lon: z.number().min(-180).max(180), lat: z.number().min(-90).max(90) }).optional(),
  }),
  output: z.object({ order: ride }),
  refusals: ['order.notFound', 'order.moved', 'order.reasonMissing', ...placeRefusals],
});

const brokenRide = z.object({
  rideId: z.string(),
  orderNumber: z.string(),
  driver: person.nullable(),
  from: z.string(),
  to: z.string(),
  departsAt: instant,
  timeZone: z.string(),
  at: instant,
  by: z.enum(['driver', 'admin']),
  kind,
  words: z.string(),
  source: z.enum(brokenPlaces),
  place: z.string(),
  /**
   * How many rides of this driver have ended on the way in the months for which strikes count, of 30 days
   * each.
   */
  ofDriver: z.number().int(),
  aboard: z
    .array(
      z.object({
        bookingId: z.string(),
        passenger: person.nullable(),
        ...ridden,
        /** The final amount; null while it can be objected to and is not decided. */
        settledCents: cents.nullable(),
        note: z.string(),
        /** Null where the ride was free. */
        payment: payment.omit({ dispute: true }).nullable(),
        dispute: dispute.nullable(),
        maySettle: z.boolean(),
      }),
    )
    .max(mostOfOne),
});
export type BrokenRide = z.output<typeof brokenRide>;

export const listBrokenRides = defineEndpoint({
  method: 'GET',
  path: '/admin/broken-rides',
  who: 'admin',
  permission: 'rides.read',
  summary: 'Rides that ended early, the latest first: why, where, and what the passengers on board owe.',
  input: z.object({ offset }),
  output: z.object({ rides: z.array(brokenRide).max(mostPerPage), total: z.number().int() }),
  refusals: [],
});

export const breakOffAsAdmin = defineEndpoint({
  method: 'POST',
  path: '/admin/break-off',
  who: 'admin',
  permission: 'rides.end',
  summary: 'Ends a ride in progress for its driver, by its order number.',
  input: z.object({
    orderNumber: z.string().trim().min(1, 'Please enter an order number.').max(40),
    kind,
    reason: words(reasonLength),
  }),
  output: z.object({ ride: brokenRide }),
  refusals: ['order.notFound', 'order.moved', 'order.reasonMissing'],
});

export const settleBroken = defineEndpoint({
  method: 'POST',
  path: '/admin/settle-broken',
  who: 'admin',
  permission: 'disputes.decide',
  stepUp: true,
  summary:
    'Decides what a passenger pays for a ride that ended early: the part they rode, or less with a reason. It closes the passenger’s dispute.',
  input: z.object({
    bookingId: id,
    shareCents: sentCents.min(0, 'Please enter an amount of zero or more.'),
    note: words(reasonLength),
  }),
  output: z.object({ ride: brokenRide }),
  refusals: ['booking.notFound', 'broken.settled', 'broken.amountTooHigh', 'broken.reasonMissing'],
});
