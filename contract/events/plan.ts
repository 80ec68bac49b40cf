import { z } from 'zod';
import { defineEndpoint, minuteSeconds, type RateLimit } from '../define.ts';
import { cents, id, metres, mostOfOne, reasonLength, seconds, shownPlace, words } from '../units.ts';
import { person } from '../user/endpoints.ts';

/** Outbound to the event, and return. */
export const eventWays = ['there', 'back'] as const;
export type EventWay = (typeof eventWays)[number];

/** The most rides of an event, and the most requests, in lists and plans, the soonest first. */
export const mostEventOrders = 2000;

/**
 * The state of a place proposed by a plan: it waits for answers; both accepted and it is a booking; one
 * declined; or the ride or the request has moved on.
 */
export const placeStates = ['open', 'taken', 'declined', 'gone'] as const;

/** The direction of an order: to the event, unless it begins nearer to it than it ends. */
export function wayOf(
  event: { lon: number; lat: number },
  order: { from: { lon: number; lat: number }; to: { lon: number; lat: number } },
): EventWay {
  const far = (at: { lon: number; lat: number }) => (at.lon - event.lon) ** 2 + (at.lat - event.lat) ** 2;
  return far(order.to) <= far(order.from) ? 'there' : 'back';
}

const when = z.iso.datetime();

const plannedPassenger = z.object({
  requestId: z.string(),
  passenger: person,
  seats: z.number().int(),
  /** The end of their route that is not the event. */
  place: shownPlace,
  pickupAt: when,
  dropoffAt: when,
  /**
   * `planned` has not been sent yet; `asked` is being agreed by the two outside the plan, or one of them has
   * accepted.
   */
  state: z.enum(['planned', 'proposed', 'asked', 'joined']),
});

const plannedRide = z.object({
  rideId: z.string(),
  driver: person,
  place: shownPlace,
  seats: z.number().int(),
  /** Seats free on the whole route. */
  seatsLeft: z.number().int(),
  departsAt: when,
  arrivesAt: when,
  /** The driver's extra minutes over driving alone. */
  detourSeconds: seconds,
  passengers: z.array(plannedPassenger).max(mostOfOne),
});

const plannedWay = z.object({
  way: z.enum(eventWays),
  rides: z.array(plannedRide).max(mostEventOrders),
  /** Passengers without a seat. */
  left: z
    .array(z.object({ requestId: z.string(), passenger: person, seats: z.number().int(), place: shownPlace }))
    .max(mostEventOrders),
  /** The seats that they need. */
  seatsShort: z.number().int(),
  /** The drivers' whole drive, and the part of it that is for their passengers. */
  driveSeconds: seconds,
  detourSeconds: seconds,
});

export const organisersPlan = z.object({
  sentAt: when.nullable(),
  ways: z.array(plannedWay).max(eventWays.length),
  /** Places in it that have not been sent yet. */
  unsent: z.number().int(),
});
export type OrganisersPlan = z.output<typeof organisersPlan>;

/** The page reloads a plan at every move of a person in it; each time may run a search. */
const planLimit: RateLimit = {
  countedAs: 'plan',
  per: 'caller',
  most: 240,
  withinSeconds: 5 * minuteSeconds,
};

export const eventPlan = defineEndpoint({
  method: 'GET',
  path: '/event/plan',
  who: 'user',
  summary:
    "The organizer's plan for both directions: which passengers ride with which driver. It assigns the people who have no ride yet, so that as few as possible stay without one, and then with the least driving.",
  limits: [planLimit],
  input: z.object({ id }),
  output: organisersPlan,
  refusals: ['event.notFound'],
});

export const assignPlaces = defineEndpoint({
  method: 'POST',
  path: '/event/assign',
  who: 'user',
  summary:
    'Sends a plan: proposes each seat to its driver and its passenger, who both accept or decline. From then on the server offers seats that become free to passengers who have none.',
  limits: [{ countedAs: 'assign', per: 'caller', most: 60, withinSeconds: 5 * minuteSeconds }, planLimit],
  input: z.object({
    id,
    places: z
      .array(z.object({ rideId: id, requestId: id }))
      .min(1, 'Please plan at least one place.')
      .max(1000),
  }),
  output: organisersPlan,
  refusals: ['event.notFound', 'event.over', 'event.planMoved'],
});

export const myPlace = z.object({
  id: z.string(),
  way: z.enum(eventWays),
  role: z.enum(['driver', 'passenger']),
  /** The viewer's order. */
  orderId: z.string(),
  other: person,
  seats: z.number().int(),
  /** Where the passenger gets in, or on the return gets out. */
  place: shownPlace,
  pickupAt: when,
  dropoffAt: when,
  timeZone: z.string(),
  walkMetres: metres,
  /** The most that the passenger pays for all their seats. */
  fareCents: cents,
  /**
   * `mine`: the viewer's answer; `theirs`: the viewer accepted and the other has not answered; `payment`:
   * both accepted, and the seat is reserved until the passenger's payment is authorized; `joined`: they ride
   * together.
   */
  waitsFor: z.enum(['mine', 'theirs', 'payment', 'joined']),
});
export type MyPlace = z.output<typeof myPlace>;

export const myEvent = defineEndpoint({
  method: 'GET',
  path: '/event/mine',
  who: 'user',
  summary: 'My rides and requests to an event and home, and the seats that its organizer proposes to me.',
  input: z.object({ id }),
  output: z.object({
    orders: z
      .array(
        z.object({
          id: z.string(),
          role: z.enum(['driver', 'passenger']),
          way: z.enum(eventWays),
          label: z.string(),
          at: when,
          timeZone: z.string(),
          seats: z.number().int(),
          seatsFree: z.number().int(),
        }),
      )
      .max(mostOfOne),
    places: z.array(myPlace).max(mostOfOne),
  }),
  refusals: [],
});

export const answerPlace = defineEndpoint({
  method: 'POST',
  path: '/event/answer',
  who: 'user',
  summary:
    'Accepts or declines a proposed seat. The first acceptance sends the request or invitation, the second makes the booking; for an instant ride, the passenger’s acceptance is enough.',
  input: z.object({
    placeId: id,
    accept: z.boolean(),
    /** The reason for declining; required of a driver where the passenger has asked already. */
    reason: words(reasonLength).default(''),
  }),
  output: z.object({
    joined: z.boolean(),
    /** Both accepted, and the seat is reserved until the passenger's payment is authorized. */
    toPay: z.boolean(),
  }),
  refusals: [
    'event.placeNotFound',
    'event.placeGone',
    'booking.reasonMissing',
    'ride.full',
    'ride.closed',
    'match.noFit',
  ],
});
