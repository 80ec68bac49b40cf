import { z } from 'zod';
import {
  cents,
  line,
  maxVia,
  metres,
  mostOfOne,
  mostPerPage,
  seconds,
  shownPlace,
  someOf,
} from '../units.ts';
import { payment } from '../payments/views.ts';
import { person } from '../user/endpoints.ts';
import { vehicle } from '../vehicles/endpoints.ts';
import {
  actors,
  bookingAwaits,
  bookingMoves,
  bookingStates,
  reachEvidence,
  breakOffKinds,
  brokenPlaces,
  requestMoves,
  requestStates,
  rideMoves,
  rideStates,
  stages,
  stateLabels,
} from './moves.ts';
import { preferenceNames, preferences } from './preferences.ts';

export const visibilities = ['all users', 'all contacts', 'tags', 'private'] as const;
export const priceKinds = ['perPerson', 'perCar'] as const;
export const roles = ['driver', 'passenger'] as const;

/** How much of an order its owner may edit: everything, everything but time, address and cost, or nothing. */
export const edits = ['all', 'details', 'none'] as const;
export type Edit = (typeof edits)[number];

/** The most tags in the audience of an order. */
export const mostTagsOfOrder = 50;
/** The most requests on the waitlist of a ride. */
export const mostWaitingForRide = 100;

const keysOf = <K extends string>(moves: Record<K, unknown>) =>
  someOf(z.enum(Object.keys(moves) as [K, ...K[]]));
const when = z.iso.datetime();

const common = {
  id: z.string(),
  orderNumber: z.string(),
  label: z.enum(stateLabels),
  stage: z.enum(stages),
  from: shownPlace,
  to: shownPlace,
  timeZone: z.string(),
  visibility: z.enum(visibilities),
  tagIds: z.array(z.string()).max(mostTagsOfOrder),
  note: z.string(),
  contactWith: z.enum(['phone', 'email', 'chat']),
  preferences,
  flightNumber: z.string(),
  eventId: z.string().nullable(),
  eventName: z.string(),
  estimated: z.boolean(),
  createdAt: when,
  edit: z.enum(edits),
};

/** One passenger's place in one ride, as the driver or that passenger sees it. */
export const booking = z.object({
  id: z.string(),
  rideId: z.string(),
  requestId: z.string(),
  state: z.enum(bookingStates),
  startedBy: z.enum(['driver', 'passenger']),
  passenger: person,
  /** The passenger's phone, while both ride together and until 24 h after; else empty. */
  phone: z.string(),
  /** The passenger's email likewise, where they want to be contacted by it; else empty. */
  email: z.string(),
  seats: z.number().int(),
  /** The passenger's pets, luggage and likes. */
  preferences: preferences.omit({ women: true }),
  pickup: shownPlace.extend({ at: when, walkMetres: metres }),
  /** Whether the pick-up counts as at the ride's starting point: the driver who is there has reached it. */
  boardsAtStart: z.boolean(),
  dropoff: shownPlace.extend({ at: when, walkMetres: metres }),
  /**
   * The most that the passenger pays for all their seats; with a price per car, the exact share is known once
   * it is known who has ridden.
   */
  fareCents: cents,
  /** The least: where every seat of the car is ridden in. Equal to the most where nothing is open. */
  leastCents: cents,
  /** The card payment behind it; null for a free ride, before the first acceptance, and for other viewers. */
  payment: payment.nullable(),
  /**
   * While it waits for the passenger's acceptance: for their answer to a reserved seat, or for their card.
   */
  awaits: z.enum(bookingAwaits).nullable(),
  detourSeconds: seconds,
  detourMetres: metres,
  /** Grams of CO₂ that the passenger's own car would emit, less those of the detour. */
  savedCo2Grams: z.number().int(),
  message: z.string(),
  reason: z.string(),
  /** The share of a passenger who was on board when the ride was interrupted; null for all others. */
  broken: z
    .object({
      kind: z.enum(breakOffKinds),
      /** The name of the place where it ended, and how that is known. */
      place: z.string(),
      source: z.enum(brokenPlaces),
      riddenMetres: metres,
      routeMetres: metres,
      /** The part of `fareCents` that was ridden. */
      shareCents: cents,
      /** The final amount; null until it is decided, or the time to object is over. */
      settledCents: cents.nullable(),
      /** An admin's reason for the decision; empty without one. */
      note: z.string(),
    })
    .nullable(),
  /**
   * After an outage on the day of the ride: both sides are asked whether it took place, until `answerBy`;
   * `mine` is the viewer's answer. Null where the question is not asked.
   */
  unclear: z.object({ answerBy: when, mine: z.boolean().nullable() }).nullable(),
  /** The deadline of an unanswered ask or invitation. */
  expiresAt: when.nullable(),
  /** When the driver reached the pick-up. */
  reachedAt: when.nullable(),
  /** The evidence that the driver is at the pick-up; null while they are not. */
  reachedBy: z.enum(reachEvidence).nullable(),
  /** Whether the driver has tried to contact the passenger since: required before reporting a no-show. */
  contacted: z.boolean(),
  /** From when the other side may be reported as a no-show. */
  noShowFrom: when.nullable(),
  /**
   * The side that has confirmed the meeting while the other has not; of a missed booking, a meeting after
   * all.
   */
  metBy: z.enum(['driver', 'passenger']).nullable(),
  may: keysOf(bookingMoves),
  /** Whether the viewer still owes a review for this booking. */
  reviewDue: z.boolean(),
});
export type Booking = z.output<typeof booking>;

/**
 * The next action of an order's viewer. Of a driver on the day: `reachStart` to `arrive`; of one who views
 * another person's order: `requestSeat`, `joinWaitlist`, `offerRide`. With `awaitPayment` the card provider
 * still works on what the passenger has done.
 */
export const nextActionKinds = [
  'answerRequest',
  'findRiders',
  'reachStart',
  'board',
  'depart',
  'reachPickup',
  'passStop',
  'dropOff',
  'arrive',
  'pay',
  'awaitPayment',
  'acceptInvitation',
  'answerChange',
  'followRide',
  'message',
  'findRides',
  'findMoreRides',
  'requestAgain',
  'continueFromHere',
  'sayTookPlace',
  'review',
  'requestSeat',
  'joinWaitlist',
  'offerRide',
] as const;

export const nextAction = z.object({
  kind: z.enum(nextActionKinds),
  /** The booking that it is about, the first where there are several; null where it is about the order. */
  bookingId: z.string().nullable(),
  /** The other person, or the driver's own stop; else empty. */
  name: z.string(),
  /** How many such there are: passengers who ask, invitations; else 1. */
  count: z.number().int(),
  /** Until when it can be done, or is due; null where there is no such time. */
  until: when.nullable(),
  /** The viewer's price, at most; null where it is not about money. */
  costCents: cents.nullable(),
});
export type NextAction = z.output<typeof nextAction>;

export const stop = z.object({
  /** `via` is a stop of the driver's own. */
  kind: z.enum(['start', 'via', 'pickup', 'dropoff', 'end']),
  bookingId: z.string().nullable(),
  passengerName: z.string(),
  place: shownPlace,
  /** Of a stop of the driver's own: the car has left it. */
  passed: z.boolean(),
  at: when,
  lon: z.number(),
  lat: z.number(),
});

export const ride = z.object({
  ...common,
  role: z.literal('driver'),
  state: z.enum(rideStates),
  driver: person,
  /** The driver's phone, while both ride together; else empty. */
  phone: z.string(),
  /** The driver's email likewise, where they want to be contacted by it; else empty. */
  email: z.string(),
  vehicle: vehicle.omit({ plate: true }).extend({ /** Empty until joined. */ plate: z.string() }).nullable(),
  /** The agreed departure, between the earliest and the latest. */
  departsAt: when,
  earliestDepartsAt: when,
  latestDepartsAt: when,
  arrivesAt: when,
  seats: z.number().int(),
  /** Seats free from start to end; a single leg may have more. */
  seatsFree: z.number().int(),
  priceKind: z.enum(priceKinds),
  costCents: cents,
  maxDetourSeconds: seconds,
  driveSeconds: seconds,
  driveMetres: metres,
  /** The driver's own stops, made with or without passengers. */
  via: z.array(shownPlace).max(maxVia),
  stops: z.array(stop).max(mostOfOne),
  /**
   * Another time, price or route that the driver proposes; only the driver and the passengers on board see
   * it.
   */
  change: z
    .object({
      id: z.string(),
      departsAt: when,
      costCents: cents,
      /** Null where the route does not change. */
      way: z
        .object({
          from: shownPlace,
          to: shownPlace,
          via: z.array(shownPlace).max(maxVia),
          /** The whole proposed route, with the stops that the viewer may see. */
          stops: z.array(stop).max(mostOfOne),
          /** Without passengers, as for the ride. */
          driveSeconds: seconds,
          driveMetres: metres,
          arrivesAt: when,
          /**
           * The times at the viewer's own stops lie beyond what they asked for; for the driver, any
           * passenger's.
           */
          beyondWindow: z.boolean(),
        })
        .nullable(),
      note: z.string(),
      expiresAt: when,
      accepted: z.number().int(),
      asked: z.number().int(),
      /** The viewing passenger's price for all their seats; null for the driver. */
      fareCents: cents.nullable(),
      may: someOf(z.enum(['accept', 'decline', 'withdraw'])),
    })
    .nullable(),
  /** A passenger who asks and fits joins at once. */
  instant: z.boolean(),
  waitlist: z.object({
    count: z.number().int(),
    /** The waitlist, first come first; for the driver all of it, for a passenger their own entry. */
    waiting: z
      .array(
        z.object({
          requestId: z.string(),
          passenger: person,
          seats: z.number().int(),
          place: z.number().int(),
        }),
      )
      .max(mostWaitingForRide),
  }),
  /** For the driver all bookings; for a passenger their own. */
  bookings: z.array(booking).max(mostOfOne),
  passengers: z.array(person).max(mostOfOne),
  may: keysOf(rideMoves),
  nextAction: nextAction.nullable(),
  /** The ride's chat room, for those on board. */
  roomId: z.string().nullable(),
  mine: z.boolean(),
});
export type Ride = z.output<typeof ride>;

export const request = z.object({
  ...common,
  role: z.literal('passenger'),
  state: z.enum(requestStates),
  passenger: person,
  earliestAt: when,
  latestAt: when,
  arriveBy: when,
  seats: z.number().int(),
  /** Offer per person; null leaves it open. */
  offerCents: cents.nullable(),
  walkMetres: metres,
  driveSeconds: seconds,
  driveMetres: metres,
  bookings: z.array(booking).max(mostOfOne),
  /** The waitlists this request is on, and its place on each; only for its owner. */
  waitlists: z.array(z.object({ rideId: z.string(), place: z.number().int() })).max(mostOfOne),
  /** A summary of the ride joined or last asked. */
  ride: ride.nullable(),
  may: keysOf(requestMoves),
  nextAction: nextAction.nullable(),
  mine: z.boolean(),
});
export type Request = z.output<typeof request>;

export const order = z.discriminatedUnion('role', [ride, request]);
export type Order = z.output<typeof order>;

/** One of the viewer's own orders in a list: what a card shows of it. */
export const orderSummary = z.object({
  id: z.string(),
  orderNumber: z.string(),
  role: z.enum(roles),
  label: z.enum(stateLabels),
  stage: z.enum(stages),
  from: shownPlace,
  to: shownPlace,
  timeZone: z.string(),
  eventName: z.string(),
  /** The ride itself, or the one that the passenger joined or last asked; null without one. */
  rideId: z.string().nullable(),
  /** When the ride leaves; null of a request without a ride. */
  departsAt: when.nullable(),
  /** When the ride leaves, or picks the passenger up; of a request without a ride, from when it may. */
  startsAt: when,
  /** Until when a request without a ride may be picked up; null where `arrivesAt` is known. */
  startsBy: when.nullable(),
  /** When the ride ends, or drops the passenger off; null of a request without a ride. */
  arrivesAt: when.nullable(),
  seats: z.number().int(),
  /** Of a ride: seats free from start to end. */
  seatsFree: z.number().int().nullable(),
  price: z.object({
    /** Null where the passenger leaves the price open. */
    cents: cents.nullable(),
    /** The least that a share may come to; null where it is known. */
    leastCents: cents.nullable(),
    /** `offer` is per person; `exact`, `upTo` and `paid` are the passenger's whole share. */
    kind: z.enum(['perPerson', 'perCar', 'offer', 'exact', 'upTo', 'paid']),
  }),
  /** The person who drives the passenger, or invites them; null for a driver, and without a ride. */
  driver: person.nullable(),
  /** The people who ride along; empty for a passenger. */
  passengers: z.array(person).max(mostOfOne),
  nextAction: nextAction.nullable(),
});
export type OrderSummary = z.output<typeof orderSummary>;

/** Why a candidate is listed, as data; the web app words it. */
export const reason = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('detour'), seconds, metres }),
  z.object({ kind: z.literal('walk'), metres }),
  z.object({ kind: z.literal('seatsLeft'), seats: z.number().int() }),
  z.object({ kind: z.literal('free') }),
  z.object({ kind: z.literal('belowOffer'), cents }),
  z.object({ kind: z.literal('contact') }),
  z.object({ kind: z.literal('contactsInCommon'), count: z.number().int() }),
  /** How often the other person has accepted so far, in percent. */
  z.object({ kind: z.literal('accepts'), percent: z.number().int() }),
  z.object({ kind: z.literal('savedCo2'), grams: z.number().int() }),
  /** The pet or luggage is welcome, or both share the preference. */
  z.object({ kind: z.literal('prefers'), what: z.enum(preferenceNames) }),
  /** Only one of the two prefers a quiet ride. */
  z.object({ kind: z.literal('notQuiet'), askedBy: z.enum(roles) }),
]);
export type Reason = z.output<typeof reason>;

/** Where a draft would be picked up or dropped off, by street; the name is empty where the road has none. */
const stopOnTheWay = shownPlace.extend({ name: z.string(), at: when, walkMetres: metres });

/** A ride that fits a request, or a request that fits a ride. */
export const candidate = z.object({
  ride: ride.omit({ bookings: true, stops: true, nextAction: true }),
  request: request.omit({ bookings: true, ride: true, nextAction: true }).nullable(),
  pickup: stopOnTheWay,
  dropoff: stopOnTheWay,
  /** The departure and arrival of the ride with this booking in it. */
  departsAt: when,
  arrivesAt: when,
  detourSeconds: seconds,
  detourMetres: metres,
  /**
   * The most and the least that the passenger pays for all their seats; equal unless the price is per car.
   */
  fareCents: cents,
  leastCents: cents,
  savedCo2Grams: z.number().int(),
  reasons: z.array(reason).max(mostPerPage),
  /** An open ask or invitation between the two. */
  booking: booking.nullable(),
});
export type Candidate = z.output<typeof candidate>;

/** A change by one side with which a ride and a request would fit. */
export const change = z.discriminatedUnion('kind', [
  /** The viewer's whole window, or the latest time the driver can leave. */
  z.object({ kind: z.literal('leaveLater'), minutes: z.number().int() }),
  z.object({ kind: z.literal('leaveEarlier'), minutes: z.number().int() }),
  /** Per person. */
  z.object({ kind: z.literal('offerMore'), cents }),
  z.object({ kind: z.literal('fewerSeats'), seats: z.number().int() }),
  z.object({ kind: z.literal('moreDetour'), minutes: z.number().int() }),
  /** Beyond the passenger's limit, at each end. */
  z.object({ kind: z.literal('walkMore'), metres }),
]);
export type Change = z.output<typeof change>;

/**
 * A pair that fails exactly one rule: the candidate as it would be after the smallest change that makes it
 * fit.
 */
export const nearMiss = candidate.extend({
  rule: z.enum(['seats', 'price', 'detour', 'pickupWindow', 'dropoffWindow', 'onBoard']),
  change,
  /** The side that would have to change. */
  by: z.enum(['me', 'other']),
});
export type NearMiss = z.output<typeof nearMiss>;

/**
 * One rule of a fit: what there is (`have`) and what it takes (`need`). Of preferences: how many of the
 * things that come along are welcome. Seats and offers must be at least what is needed; the detour allowed at
 * least the detour it takes; a pick-up inside the window, named by the edge it is nearest to miss; a drop-off
 * not after. Instants are milliseconds since 1970; null is an open offer, or a place no road leads to.
 */
export const explainedRule = z.object({
  rule: z.enum([
    'circle',
    'preferences',
    'seats',
    'price',
    'detour',
    'pickupWindow',
    'dropoffWindow',
    'onBoard',
  ]),
  ok: z.boolean(),
  have: z.number().nullable(),
  need: z.number().nullable(),
  unit: z.enum(['people', 'things', 'seats', 'cents', 'milliseconds', 'instant']),
});
export type ExplainedRule = z.output<typeof explainedRule>;

export const routeView = z.object({
  line,
  seconds,
  metres,
  streets: z.array(z.string()).max(10_000),
  estimated: z.boolean(),
});

export const timelineEntry = z.object({
  at: when,
  thing: z.enum(['ride', 'request', 'booking']),
  move: z.string(),
  to: z.enum(stateLabels),
  actorName: z.string(),
  actor: z.enum(actors),
  passengerName: z.string(),
  note: z.string(),
});
