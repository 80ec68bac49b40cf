import { z } from 'zod';
import { defineEndpoint, searchLimit, publishLimit } from '../define.ts';
import {
  cents,
  id,
  instant,
  line,
  maxVia,
  metres,
  mostOfOne,
  mostPerPage,
  mostWhole,
  noteLength,
  offset,
  oneLine,
  place,
  reasonLength,
  seatCount,
  seconds,
  sentCents,
  words,
} from '../units.ts';
import { contactKinds, stages } from './moves.ts';
import { preferencesInput, preferencesQuery } from './preferences.ts';
import {
  booking,
  candidate,
  explainedRule,
  mostTagsOfOrder,
  nearMiss,
  order,
  orderSummary,
  priceKinds,
  request,
  ride,
  roles,
  routeView,
  timelineEntry,
  visibilities,
} from './views.ts';

const placeRefusals = ['place.noRoadNear', 'place.tooFar', 'place.same', 'place.noRoute'] as const;
const bookingInput = z.object({ bookingId: id });

const orderFields = {
  from: place,
  to: place,
  visibility: z.enum(visibilities).default('all users'),
  tagIds: z.array(id).max(mostTagsOfOrder).default([]),
  note: words(noteLength).default(''),
  contactWith: z.enum(['phone', 'email', 'chat']).default('phone'),
  flightNumber: oneLine(12).default(''),
  eventId: id.nullable().default(null),
  preferences: preferencesInput,
};

/** The maximum a driver may set: minutes of waiting at the start, minutes of detour. */
export const maxFlexMinutes = 180;
export const maxDetourMinutes = 45;
const viaPlaces = z.array(place).max(maxVia, `Please enter up to ${maxVia} stops.`).default([]);

export const rideFields = z.object({
  ...orderFields,
  role: z.literal('driver'),
  /** The driver's own stops, in order, made with or without passengers. */
  via: viaPlaces,
  departsAt: instant,
  /** How much later than `departsAt` the driver can leave. */
  flexMinutes: z.number().int().min(0).max(maxFlexMinutes).default(0),
  seats: seatCount,
  vehicleId: id.nullable(),
  priceKind: z.enum(priceKinds),
  costCents: sentCents.min(0, 'Please enter a price of zero or more.'),
  /** Null: the default, the larger of 10 minutes and 20 % of driving alone, at most 45. */
  maxDetourMinutes: z.number().int().min(0).max(maxDetourMinutes).nullable().default(null),
  /** A passenger who asks and fits joins at once; else the driver accepts each. */
  instant: z.boolean().default(false),
});

export const requestFields = z.object({
  ...orderFields,
  role: z.literal('passenger'),
  /** The pick-up window. */
  earliestAt: instant,
  latestAt: instant,
  seats: seatCount,
  /** Per person; null leaves it open. */
  offerCents: sentCents.nullable().default(null),
  walkMetres: metres.max(5000).default(600),
});

export const createOrder = defineEndpoint({
  method: 'POST',
  path: '/order/create',
  who: 'user',
  summary: 'Publishes a ride (driver) or a request (passenger).',
  limits: [publishLimit],
  input: z.object({ order: z.discriminatedUnion('role', [rideFields, requestFields]) }),
  output: order,
  refusals: [
    ...placeRefusals,
    'order.timePast',
    'order.timeTooFar',
    'order.overlap',
    'order.tooMany',
    'order.vehicleMissing',
    'order.moreSeatsThanVehicle',
    'order.offerTooLow',
    'order.priceTooLow',
    'order.cardsOff',
    'order.amountTooHigh',
    'order.windowWrong',
    'order.tagsMissing',
    'order.eventNotFound',
    'order.womenNotAllowed',
  ],
});

export const updateOrder = defineEndpoint({
  method: 'POST',
  path: '/order/update',
  who: 'user',
  summary:
    'Edits my ride or request: everything until it is matched, afterwards all but time, address and cost. Closes open requests if their terms change.',
  limits: [publishLimit],
  input: z.object({ id, order: z.discriminatedUnion('role', [rideFields, requestFields]) }),
  output: z.object({ order }),
  refusals: [
    ...createOrder.refusals.filter((reason) => reason !== 'order.tooMany'),
    'order.notFound',
    'order.moved',
    'order.matched',
    'order.preferencesAgreed',
    'order.seatsTaken',
  ],
});

export const listOrders = defineEndpoint({
  method: 'GET',
  path: '/order/list',
  who: 'user',
  summary: 'My orders by stage and role, and the number of orders in each stage.',
  input: z.object({
    stage: z.enum(stages).optional(),
    role: z.enum(roles).optional(),
    offset,
  }),
  output: z.object({
    orders: z.array(orderSummary).max(mostPerPage),
    total: z.number().int(),
    counts: z.record(z.enum(stages), z.number().int()),
  }),
  refusals: [],
});

export const nextOrder = defineEndpoint({
  method: 'GET',
  path: '/order/next',
  who: 'user',
  summary: 'My current or next order in a role, for the card on the map.',
  input: z.object({ role: z.enum(roles) }),
  output: z.object({ order: orderSummary.nullable() }),
  refusals: [],
});

export const orderDetail = defineEndpoint({
  method: 'GET',
  path: '/order/detail',
  who: 'user',
  summary: 'One ride or request that I may see, by id or order number.',
  input: z.object({ id: z.string().min(1).max(40) }),
  output: z.object({
    order,
    route: routeView.nullable(),
    /** The same for the proposed route. */
    proposedRoute: routeView.nullable(),
    /** The paired outbound or return, where the viewer may see it too. */
    paired: order.nullable(),
    /** The recurring rides whose day it is, for its owner. */
    series: z.object({ id: z.string(), day: z.string() }).nullable(),
  }),
  refusals: ['order.notFound'],
});

export const orderTimeline = defineEndpoint({
  method: 'GET',
  path: '/order/timeline',
  who: 'user',
  summary: 'The history of an order: what happened, when, and who did it.',
  input: z.object({ id }),
  output: z.object({ entries: z.array(timelineEntry).max(mostOfOne) }),
  refusals: ['order.notFound'],
});

export const orderCalendar = defineEndpoint({
  method: 'GET',
  path: '/order/calendar',
  who: 'user',
  summary: 'A calendar file (RFC 5545) of my ride or booking. A later file replaces an earlier one.',
  input: z.object({ id }),
  output: z.object({ fileName: z.string(), text: z.string() }),
  refusals: ['order.notFound', 'order.notJoined'],
});

export const quote = defineEndpoint({
  method: 'GET',
  path: '/order/quote',
  who: 'guest',
  summary:
    'The route between two places: its line, minutes and meters, the suggested share, and the prices that others ask.',
  limits: [searchLimit],
  input: z.object({
    fromLon: z.coerce.number().min(-180).max(180),
    fromLat: z.coerce.number().min(-90).max(90),
    toLon: z.coerce.number().min(-180).max(180),
    toLat: z.coerce.number().min(-90).max(90),
    /** Via stops: `lon,lat` each, joined by semicolons. */
    via: z
      .string()
      .regex(/^(-?\d{1,3}(\.\d{1,20})?,-?\d{1,3}(\.\d{1,20})?(;|$)){0,3}$/, 'Please enter up to 3 stops.')
      .default(''),
    /**
     * The local hour of the start: `2026-11-24T08`. Times are then those of that hour's traffic; left out,
     * those of a free road.
     */
    localHour: z
      .string()
      .regex(
        /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])T([01]\d|2[0-3])$/,
        'Please enter a date and an hour.',
      )
      .optional(),
  }),
  output: z.object({
    route: routeView,
    timeZone: z.string(),
    /** The advised share of one passenger, from the distance. */
    advisedShareCents: cents,
    /** The prices per person of open rides of similar length; null where there are none. */
    askedLowCents: cents.nullable(),
    askedHighCents: cents.nullable(),
    defaultMaxDetourSeconds: seconds,
  }),
  refusals: placeRefusals,
});

/** A published order (`id`), or a passenger's draft. */
export const matchInput = z.object({
  id: id.optional(),
  fromLon: z.coerce.number().min(-180).max(180).optional(),
  fromLat: z.coerce.number().min(-90).max(90).optional(),
  toLon: z.coerce.number().min(-180).max(180).optional(),
  toLat: z.coerce.number().min(-90).max(90).optional(),
  earliestAt: instant.optional(),
  latestAt: instant.optional(),
  seats: z.coerce.number().int().min(1).max(8).optional(),
  offerCents: z.coerce.number().int().min(-mostWhole).max(mostWhole).optional(),
  walkMetres: z.coerce.number().int().min(0).max(5000).optional(),
  preferences: preferencesQuery,
  offset,
});

export const match = defineEndpoint({
  method: 'GET',
  path: '/order/match',
  who: 'guest',
  summary:
    'Rides that match my request (or draft), or requests that match my ride, best first, 20 at a time.',
  limits: [searchLimit],
  input: matchInput,
  output: z.object({
    candidates: z.array(candidate).max(mostPerPage),
    total: z.number().int(),
    /** At most 5, smallest change first; only on the first page. */
    nearMisses: z.array(nearMiss).max(mostPerPage),
  }),
  refusals: [
    'order.notFound',
    'match.draftIncomplete',
    'order.womenNotAllowed',
    'server.gettingReady',
    ...placeRefusals,
  ],
});

export const matchPair = defineEndpoint({
  method: 'GET',
  path: '/order/match-pair',
  who: 'user',
  summary:
    'One ride or request (`otherId`) as a match of my order, as in the list of matches; null if it does not match.',
  limits: [searchLimit],
  input: z.object({ id, otherId: id }),
  output: z.object({ candidate: candidate.nullable() }),
  refusals: ['order.notFound', 'server.gettingReady'],
});

export const matchMap = defineEndpoint({
  method: 'GET',
  path: '/order/match-map',
  who: 'user',
  summary:
    'The lines of a match on the map: the driver’s own route, the route with the detour, and the walks.',
  limits: [searchLimit],
  input: z.object({ rideId: id, requestId: id }),
  output: z.object({
    rideId: z.string(),
    own: routeView,
    /** The driver's route with this passenger. */
    shared: routeView,
    pickup: z.object({ lon: z.number(), lat: z.number() }),
    dropoff: z.object({ lon: z.number(), lat: z.number() }),
    walks: z.array(line).max(2),
  }),
  refusals: ['order.notFound', 'match.noFit'],
});

export const explain = defineEndpoint({
  method: 'GET',
  path: '/order/explain',
  who: 'user',
  summary: 'Why a ride and a request match or not, rule by rule, for one of the two people.',
  limits: [searchLimit],
  input: z.object({ rideId: id, requestId: id }),
  output: z.object({ fits: z.boolean(), rules: z.array(explainedRule).max(mostPerPage) }),
  refusals: ['order.notFound', 'booking.exists'],
});

export const audience = defineEndpoint({
  method: 'GET',
  path: '/order/audience',
  who: 'user',
  summary: 'How many waiting passengers can see my ride, and how many of them match.',
  limits: [searchLimit],
  input: z.object({ id }),
  output: z.object({ canSee: z.number().int(), fit: z.number().int() }),
  refusals: ['order.notFound'],
});

export const askToJoin = defineEndpoint({
  method: 'POST',
  path: '/order/request',
  who: 'user',
  summary:
    'Asks to join a ride with the passenger’s request. With instant booking, the passenger joins at once.',
  limits: [publishLimit],
  input: z.object({ rideId: id, requestId: id, message: words(noteLength).default('') }),
  output: z.object({ order: request }),
  refusals: [
    'order.notFound',
    'match.noFit',
    'ride.full',
    'ride.closed',
    'ride.changing',
    'booking.exists',
    'request.closed',
    'order.ownRide',
    'payment.owed',
    'payment.blocked',
  ],
});

export const waitlist = defineEndpoint({
  method: 'POST',
  path: '/order/waitlist',
  who: 'user',
  summary:
    'Joins the waitlist of a full ride, or leaves it (`wait: false`, which the driver may also send). Seats that become free are offered in the order of the list.',
  input: z.object({ rideId: id, requestId: id, wait: z.boolean().default(true) }),
  output: z.object({ order }),
  refusals: [
    'order.notFound',
    'match.noFit',
    'ride.closed',
    'ride.hasRoom',
    'ride.waitlistFull',
    'booking.exists',
    'request.closed',
    'order.ownRide',
  ],
});

export const invite = defineEndpoint({
  method: 'POST',
  path: '/order/invite',
  who: 'user',
  summary: 'Invites the passenger of an open request to the driver’s ride.',
  limits: [publishLimit],
  input: z.object({ rideId: id, requestId: id, message: words(noteLength).default('') }),
  output: z.object({ order: ride }),
  refusals: [
    'order.notFound',
    'match.noFit',
    'ride.full',
    'ride.closed',
    'booking.exists',
    'request.closed',
    'order.ownRide',
    'payment.passengerBlocked',
  ],
});

const moveOutput = z.object({ booking });
/** Refusals of a missed passenger's late boarding. */
const lateRefusals = ['ride.full', 'request.closed', 'order.overlap'] as const;
const bookingRefusals = ['booking.notFound', 'booking.moved'] as const;

export const accept = defineEndpoint({
  method: 'POST',
  path: '/order/accept',
  who: 'user',
  summary: 'Accepts a passenger’s request (driver) or an invitation (passenger), and takes the seats.',
  input: bookingInput,
  output: moveOutput,
  refusals: [
    ...bookingRefusals,
    'ride.full',
    'ride.closed',
    'ride.changing',
    'request.closed',
    'match.noFit',
    'order.overlap',
    'payment.blocked',
    'payment.passengerBlocked',
  ],
});

export const reject = defineEndpoint({
  method: 'POST',
  path: '/order/reject',
  who: 'user',
  summary: 'Declines a passenger’s request with a reason (driver), or an invitation (passenger).',
  input: bookingInput.extend({ reason: words(reasonLength).default('') }),
  output: moveOutput,
  refusals: [...bookingRefusals, 'booking.reasonMissing'],
});

export const withdraw = defineEndpoint({
  method: 'POST',
  path: '/order/withdraw',
  who: 'user',
  summary: 'Withdraws a request to join (passenger) or an invitation (driver), free of charge.',
  input: bookingInput,
  output: moveOutput,
  refusals: bookingRefusals,
});

export const cancelPreview = defineEndpoint({
  method: 'GET',
  path: '/order/cancel-preview',
  who: 'user',
  summary: 'A preview of canceling: the fee and its effects.',
  input: z.object({ id }),
  output: z.object({
    may: z.boolean(),
    /** The fee charged of the passenger's share, and the share; both 0 where nothing is paid. */
    feeCents: cents,
    fareCents: cents,
    percent: z.number().int(),
    /** Free because the passenger joined only minutes ago. */
    isGrace: z.boolean(),
    /** The number of joined people who would be notified. */
    joined: z.number().int(),
    /**
     * The smallest of this installation’s figures, in hours before departure, that it falls within; null:
     * earlier than all of them.
     */
    withinHours: z.number().int().nullable(),
    strike: z.boolean(),
    /**
     * Sent back with the cancellation: for two minutes the fee shown here is the fee charged. Empty without a
     * fee to pay.
     */
    seen: z.string(),
  }),
  refusals: ['order.notFound'],
});

export const cancelOrder = defineEndpoint({
  method: 'POST',
  path: '/order/cancel',
  who: 'user',
  summary:
    'Cancels my ride, my request, or a booking (`bookingId`). The fee must be the one that a preview showed in the last two minutes (`seen`); otherwise 409 `order.feeChanged` with the new preview.',
  input: z.object({
    id,
    bookingId: id.optional(),
    reason: words(reasonLength).default(''),
    /** `seen` of `/order/cancel-preview`. */
    seen: z.string().max(200).default(''),
  }),
  output: z.object({ order }),
  refusals: ['order.notFound', 'order.moved', 'order.reasonMissing', 'order.feeChanged'],
});

export const proposeChange = defineEndpoint({
  method: 'POST',
  path: '/order/propose-change',
  who: 'user',
  summary:
    'Proposes a new time, price or route to the passengers of my ride. It applies once all of them have accepted.',
  input: z.object({
    id,
    departsAt: instant,
    costCents: sentCents.min(0, 'Please enter a price of zero or more.'),
    /**
     * The whole new route; null leaves it as it is. Passengers on board keep their pick-up and drop-off
     * places.
     */
    way: z.object({ from: place, to: place, via: viaPlaces }).nullable().default(null),
    note: words(noteLength).default(''),
  }),
  output: z.object({ order }),
  refusals: [
    'order.notFound',
    'order.moved',
    'order.timePast',
    'order.timeTooFar',
    'order.overlap',
    'order.priceTooLow',
    'order.amountTooHigh',
    'order.vehicleMissing',
    ...placeRefusals,
    'change.nobody',
    'change.nothing',
    'change.tooLate',
    'change.leavesBehind',
  ],
});

export const answerChange = defineEndpoint({
  method: 'POST',
  path: '/order/answer-change',
  who: 'user',
  summary:
    'Accepts a proposed change, or leaves the ride free of charge (passenger); withdraws it with `accept: false` (driver).',
  input: z.object({ changeId: id, accept: z.boolean() }),
  output: z.object({ order }),
  refusals: ['change.notFound', 'change.moved', 'order.overlap', 'booking.moved'],
});

/** The distance in meters within which a device counts as being at a place. */
export const nearPlaceMetres = 150;

const rideStep = z.object({ id, bookingId: id.optional() });
const rideOutput = z.object({ order: ride });
const rideRefusals = ['order.notFound', 'order.moved', 'order.tooEarly'] as const;

export const reach = defineEndpoint({
  method: 'POST',
  path: '/order/reach',
  who: 'user',
  summary:
    'The driver has arrived at the starting point, or at a passenger’s pick-up (`bookingId`). Needs the position of the device, or a reason.',
  input: rideStep.extend({
    /** The device's position, where it may be known. */
    at: z
      .object({
        lon: z.number().min(-180, 'Please select a place.').max(180, 'Please select a place.'),
        lat: z.number().min(-90, 'Please select a place.').max(90, 'Please select a place.'),
      })
      .optional(),
    /** The driver's reason where the position does not match. */
    reason: words(reasonLength).default(''),
    /** When it was done, where the phone was offline then. */
    doneAt: instant.optional(),
  }),
  output: rideOutput,
  refusals: [...rideRefusals, 'order.notThere', 'order.placeUnknown'],
});

export const depart = defineEndpoint({
  method: 'POST',
  path: '/order/depart',
  who: 'user',
  summary: 'The driver leaves the starting point.',
  input: z.object({ id }),
  output: rideOutput,
  refusals: [...rideRefusals, 'ride.passengersWaiting'],
});

export const passStop = defineEndpoint({
  method: 'POST',
  path: '/order/pass-stop',
  who: 'user',
  summary: 'The driver leaves one of their own stops; the first is 1.',
  input: z.object({ id, stop: z.number().int().min(1).max(maxVia) }),
  output: rideOutput,
  refusals: rideRefusals.filter((reason) => reason !== 'order.tooEarly'),
});

export const pickUp = defineEndpoint({
  method: 'POST',
  path: '/order/pickup',
  who: 'user',
  summary:
    'The driver has picked up a passenger. It is complete once the passenger confirms, or at once with their PIN or code. `undo` takes it back. Possible until the ride ends, even after a no-show.',
  input: bookingInput.extend({
    undo: z.boolean().default(false),
    pin: z
      .string()
      .regex(/^\d{4}$/, 'Please enter the 4 digits.')
      .optional(),
    code: z.string().max(200).optional(),
  }),
  output: moveOutput,
  refusals: [...bookingRefusals, 'booking.pinWrong', 'booking.codeWrong', ...lateRefusals],
});

export const confirmMeeting = defineEndpoint({
  method: 'POST',
  path: '/order/confirm-meeting',
  who: 'user',
  summary:
    'The passenger has met the driver. It is complete once the driver confirms. `undo` takes it back. Possible until the ride ends, even after a no-show.',
  input: bookingInput.extend({ undo: z.boolean().default(false) }),
  output: moveOutput,
  refusals: [...bookingRefusals, ...lateRefusals],
});

export const noteContact = defineEndpoint({
  method: 'POST',
  path: '/order/contact-attempt',
  who: 'user',
  summary:
    'Records that the driver tried to contact the passenger at the pick-up. One attempt is required before a no-show.',
  input: bookingInput.extend({ kind: z.enum(contactKinds) }),
  output: moveOutput,
  refusals: bookingRefusals,
});

export const noShow = defineEndpoint({
  method: 'POST',
  path: '/order/no-show',
  who: 'user',
  summary:
    'Marks a passenger as a no-show, after the waiting time and an attempt to contact them. There is no fee if the position of the driver’s device shows that the driver was elsewhere.',
  input: bookingInput,
  output: moveOutput,
  refusals: [...bookingRefusals, 'booking.waitNotOver', 'booking.notContacted'],
});

export const reportDriver = defineEndpoint({
  method: 'POST',
  path: '/order/report-driver',
  who: 'user',
  summary:
    'Reports a driver who did not show up: from 15 minutes after the agreed time, or at once where the driver alone claims to be there or to have met the passenger. Contradicting evidence opens a dispute.',
  input: bookingInput,
  output: moveOutput,
  refusals: [...bookingRefusals, 'booking.waitNotOver'],
});

export const sayTookPlace = defineEndpoint({
  method: 'POST',
  path: '/order/took-place',
  who: 'user',
  summary:
    'The driver or the passenger says whether they rode together, where the server was down or one of them alone has confirmed the meeting. Either may change their answer until both have answered.',
  input: bookingInput.extend({ tookPlace: z.boolean() }),
  output: moveOutput,
  refusals: bookingRefusals,
});

export const arrive = defineEndpoint({
  method: 'POST',
  path: '/order/arrive',
  who: 'user',
  summary: 'The driver drops off a passenger (`bookingId`) or finishes the ride.',
  input: rideStep,
  output: rideOutput,
  refusals: rideRefusals,
});

export const discover = defineEndpoint({
  method: 'GET',
  path: '/order/nearby',
  who: 'guest',
  summary: 'Open rides and requests around a point that I may see, soonest first.',
  limits: [searchLimit],
  input: z.object({
    lon: z.coerce.number().min(-180).max(180),
    lat: z.coerce.number().min(-90).max(90),
    role: z.enum(roles).optional(),
    offset,
  }),
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
