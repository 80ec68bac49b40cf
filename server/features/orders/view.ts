import {
  endedRideStates,
  isAgreed,
  labelOf,
  ridingStates,
  stageOf,
  type BookingState,
} from '#contract/rides/moves.ts';
import { nextActionOf } from '#contract/rides/next-action.ts';
import type { BookingPayment } from '#contract/payments/views.ts';
import type { Booking, Request, Ride } from '#contract/rides/views.ts';
import { isAirport } from '#contract/geo/airports.ts';
import type { ShownPlace } from '#contract/units.ts';
import type { Person } from '#contract/user/endpoints.ts';
import type { Vehicle } from '#contract/vehicles/endpoints.ts';
import type { LonLat } from '#roads/graph/geometry.ts';
import { inTraffic } from '#roads/graph/traffic.ts';
import {
  arriveByMs,
  ceilingCents,
  leastShareCents,
  viaStandsMs,
  wholeHundreds,
  wholeMinutes,
  type Told,
} from '../matching/service.ts';
import { requestEdit, rideEdit } from './rules/edit-rules.ts';
import { fromOf, toOf } from './rules/ends.ts';
import { columnsOfRoute, newTimesOf, timesOf, windowAfter } from './rules/route-change.ts';
import { settledShare } from './rules/ridden-share.ts';
import { savedCo2Grams } from './rules/reasons.ts';
import {
  mayMoveBooking,
  mayMoveRequest,
  mayMoveRide,
  noShowFrom,
  boardsAtStartMs,
  type BookingFacts,
  type RideFacts,
} from './rules/may.ts';
import type { BrokenBookingRow, BrokenRideRow } from './interrupted/store.ts';
import type { QuestionRow } from './unclear/store.ts';
import type { BookingRow, ChangeRow, RequestRow, RideRow, StopRow, WaitRow } from './store.ts';

const exactAfterEndMs = 24 * 3_600_000;
const reviewWindowMs = 14 * 24 * 3_600_000;

/** Everything that the views of some rides and requests need, read beforehand. */
export interface ViewContext {
  viewerId: string | null;
  now: Date;
  people: Map<string, Person>;
  phones: Map<string, string>;
  emails: Map<string, string>;
  vehicles: Map<string, Vehicle>;
  eventNames: Map<string, string>;
  rides: Map<string, RideRow>;
  requests: Map<string, RequestRow>;
  stops: Map<string, StopRow[]>;
  bookingsByRide: Map<string, BookingRow[]>;
  bookingsByRequest: Map<string, BookingRow[]>;
  /** Open proposals by ride, with the bookings that have accepted. */
  changes: Map<string, { change: ChangeRow; accepted: Set<string> }>;
  /** The waitlist of each ride, first come first. */
  waitingByRide: Map<string, WaitRow[]>;
  /** Payments of the viewer's bookings. */
  payments: Map<string, BookingPayment>;
  /** Rides that ended on the way, and what those on board have ridden, by booking. */
  interruptedRides: Map<string, BrokenRideRow>;
  interruptedBookings: Map<string, BrokenBookingRow>;
  /** Questions to both sides after an outage, by booking. */
  questions: Map<string, QuestionRow>;
  /** Bookings that the viewer has reviewed. */
  reviewed: Set<string>;
  /** The rounded figures shown of bookings that were never joined. */
  told: Map<string, Told>;
  /** The free drive by rounded places. */
  betweenRounded(from: LonLat, to: LonLat): { milliseconds: number; metres: number };
  trafficPermilleAt(from: LonLat, at: Date): number;
  /** A place as a stranger sees it: its street or neighborhood. */
  approximate(place: { name: string; detail: string; lon: number; lat: number }): {
    name: string;
    detail: string;
    lon: number;
    lat: number;
  };
}

const nobody: Person = {
  id: '',
  name: '',
  avatar: '',
  rating: null,
  ratingCount: 0,
  completedRides: 0,
  verifiedDriver: false,
};
/** A person as others see them; without a name where the account was erased. */
export const shownPerson = (people: ReadonlyMap<string, Person>, id: string): Person =>
  people.get(id) ?? { ...nobody, id };
const personOf = (context: ViewContext, id: string): Person => shownPerson(context.people, id);
const rodeTogether: readonly BookingState[] = [...ridingStates, 'missed'];

/** People who ride together see exact places and phones, until 24 hours after the ride. */
const exactFor = (bookings: readonly BookingRow[], endedAt: Date | null, now: Date): boolean =>
  bookings.some((booking) => rodeTogether.includes(booking.state)) &&
  (endedAt === null || now.getTime() < endedAt.getTime() + exactAfterEndMs);

/** A place; to viewers who do not ride along, its street or neighborhood alone. */
export function shown(
  { approximate }: Pick<ViewContext, 'approximate'>,
  place: { name: string; detail: string; lon: number; lat: number },
  exact: boolean,
): ShownPlace {
  return exact ? { ...place, approximate: false } : { ...approximate(place), approximate: true };
}

/** Where a booking's passenger gets in or out: their own place, or a meeting point near it. */
function boardingPlace(booking: BookingRow, request: RequestRow, end: 'pickup' | 'dropoff') {
  const own = end === 'pickup' ? fromOf(request) : toOf(request);
  const name = booking[`${end}Name`];
  // After a ride that ended on the way, the request begins elsewhere; the booking keeps the name of its own
  // place.
  if (booking[`${end}WalkMs`] === 0 && name === '') return own;
  return { name: name || own.name, detail: '', lon: booking[`${end}Lon`], lat: booking[`${end}Lat`] };
}

const spotOf = ({ name, lon, lat }: Told['pickup']) => ({ name, detail: '', lon, lat });

/** The input of the rules for a ride. */
export function rideFacts(
  ride: RideRow,
  stops: readonly StopRow[],
  bookings: readonly BookingRow[],
): RideFacts {
  return {
    state: ride.state,
    departsAt: ride.departsAt,
    driveMetres: ride.driveMetres,
    startsAtAirport: isAirport({ name: ride.fromName, detail: ride.fromDetail }),
    bookings: bookings.map((booking) => bookingFacts(booking, stops)),
  };
}

export function bookingFacts(booking: BookingRow, stops: readonly StopRow[]): BookingFacts {
  const { state, awaits, metBy, pickupAt, reachedAt } = booking;
  const isUnclear = booking.unclearAt !== null && booking.endedAt === null;
  return {
    state,
    awaits,
    metBy,
    pickupAt,
    reachedAt,
    isUnclear,
    isContacted: booking.contactedAt !== null,
    boardsAtStart: boardsAtStart(booking.id, stops),
  };
}

function boardsAtStart(bookingId: string, stops: readonly StopRow[]): boolean {
  const pickup = stops.findIndex((stop) => stop.bookingId === bookingId && stop.kind === 'pickup');
  if (pickup < 0) return false;
  const before = stops.slice(0, pickup);
  // A stop of the driver's own comes first: the car leaves the start before the pick-up.
  if (before.some(({ kind }) => kind === 'via')) return false;
  return before.reduce((sum, stop) => sum + stop.toNextMs, 0) <= boardsAtStartMs;
}

export function viewBooking(context: ViewContext, booking: BookingRow): Booking {
  const { viewerId, now } = context;
  const ride = context.rides.get(booking.rideId)!;
  const request = context.requests.get(booking.requestId)!;
  const stops = context.stops.get(booking.rideId) ?? [];
  const side = viewerId === booking.driverId ? 'driver' : 'passenger';
  const exact = side === 'passenger' || exactFor([booking], booking.endedAt ?? ride.endedAt, now);
  const facts = rideFacts(ride, stops, context.bookingsByRide.get(ride.id) ?? [booking]);
  const own = bookingFacts(booking, stops);
  const told = context.told.get(booking.id) ?? null;
  const at = (end: 'pickup' | 'dropoff') =>
    told === null ? booking[`${end}At`].toISOString() : new Date(told[`${end}Ms`]).toISOString();
  // Before the passenger joins, the driver sees a meeting point near the rounded place: the agreed one was
  // found from the door and would reveal it.
  const place = (end: 'pickup' | 'dropoff') =>
    exact || told === null || told[end].atDoor
      ? shown(context, boardingPlace(booking, request, end), exact)
      : shown(context, spotOf(told[end]), false);
  const walkMetres = (end: 'pickup' | 'dropoff') =>
    exact || told === null ? booking[`${end}WalkMetres`] : told[end].walkMetres;
  const together = side === 'driver' && exactFor([booking], booking.endedAt, now);
  const finished =
    booking.state === 'finished' &&
    booking.endedAt !== null &&
    now.getTime() < booking.endedAt.getTime() + reviewWindowMs;
  return {
    id: booking.id,
    rideId: booking.rideId,
    requestId: booking.requestId,
    state: booking.state,
    startedBy: booking.startedBy,
    passenger: personOf(context, booking.passengerId),
    phone: together ? (context.phones.get(booking.passengerId) ?? '') : '',
    email: together && request.contactWith === 'email' ? (context.emails.get(booking.passengerId) ?? '') : '',
    seats: booking.seats,
    preferences: { pets: request.pets, luggage: request.luggage, quiet: request.quiet },
    pickup: {
      ...place('pickup'),
      at: at('pickup'),
      walkMetres: walkMetres('pickup'),
    },
    boardsAtStart: own.boardsAtStart,
    dropoff: {
      ...place('dropoff'),
      at: at('dropoff'),
      walkMetres: walkMetres('dropoff'),
    },
    fareCents: booking.fareCents,
    leastCents: leastOf(context, booking),
    payment: context.payments.get(booking.id) ?? null,
    awaits: booking.awaits,
    detourSeconds: Math.max(0, Math.round((told ?? booking).detourMs / 1000)),
    detourMetres: Math.max(0, (told ?? booking).detourMetres),
    savedCo2Grams: savedCo2Grams(request.driveMetres, (told ?? booking).detourMetres),
    message: booking.message,
    reason: booking.reason,
    broken: viewBroken(context, booking),
    unclear: own.isUnclear ? viewUnclear(context.questions.get(booking.id), side) : null,
    expiresAt: booking.expiresAt?.toISOString() ?? null,
    reachedAt: booking.reachedAt?.toISOString() ?? null,
    reachedBy: booking.reachedBy,
    contacted: booking.contactedAt !== null,
    noShowFrom: noShowFrom(facts, own)?.toISOString() ?? null,
    metBy: booking.state === 'picking' || booking.state === 'missed' ? booking.metBy : null,
    may: mayMoveBooking(facts, own, side, now),
    reviewDue: finished && !context.reviewed.has(booking.id),
  };
}

/** The least that a booking may pay: below the maximum only while it is open who shares the price per car. */
function leastOf(context: ViewContext, booking: BookingRow): number {
  const { seats, fareCents: ceiling } = booking;
  const ride = context.rides.get(booking.rideId);
  const isOver = booking.endedAt !== null && booking.state !== 'finished';
  if (ride === undefined || isOver || endedRideStates.includes(ride.state)) return ceiling;
  const others = (context.bookingsByRide.get(ride.id) ?? []).filter(
    (each) => each.id !== booking.id && (isAgreed(each) || each.state === 'finished'),
  );
  const seatsTaken = others.reduce((sum, each) => sum + each.seats, seats);
  return leastShareCents(ride, { seats, ceiling, seatsInAll: Math.max(ride.seats, seatsTaken) });
}

function viewUnclear(question: QuestionRow | undefined, side: 'driver' | 'passenger'): Booking['unclear'] {
  if (question === undefined) return null;
  const mine = side === 'driver' ? question.driverSays : question.passengerSays;
  return { answerBy: question.answerBy.toISOString(), mine };
}

/** The distance of a passenger on board of an interrupted ride, and the share due for it. */
function viewBroken(context: ViewContext, { id, rideId }: BookingRow): Booking['broken'] {
  const [ride, own] = [context.interruptedRides.get(rideId), context.interruptedBookings.get(id)];
  if (ride === undefined || own === undefined) return null;
  const { riddenMetres, routeMetres, shareCents, note } = own;
  const { kind, place, source } = ride;
  const settledCents = settledShare(own, context.payments.get(id) ?? null);
  return { kind, place, source, riddenMetres, routeMetres, shareCents, settledCents, note };
}

/** The common fields of ride and request views. */
function common(
  context: ViewContext,
  row: RideRow | RequestRow,
  of: { role: 'driver' | 'passenger'; bookingStates: BookingState[]; mine: boolean; exact: boolean },
) {
  const { role, bookingStates, mine, exact } = of;
  const { id, orderNumber, timeZone, visibility, note, contactWith, flightNumber, eventId, estimated } = row;
  const { pets, luggage, quiet, women } = row;
  return {
    id,
    orderNumber,
    label: labelOf({ role, state: row.state, bookingStates }),
    stage: stageOf({ role, state: row.state, bookingStates }),
    from: shown(context, fromOf(row), exact),
    to: shown(context, toOf(row), exact),
    timeZone,
    visibility,
    tagIds: mine ? row.tagIds : [],
    note,
    contactWith,
    // Whether its owner wants to ride among women is shown to the owner alone.
    preferences: { pets, luggage, quiet, women: mine && women },
    flightNumber,
    eventId,
    eventName: eventId === null ? '' : (context.eventNames.get(eventId) ?? ''),
    estimated,
    createdAt: row.createdAt.toISOString(),
  };
}

/** When a ride is at each stop, and its length. */
interface RideTimes {
  departsAt: Date;
  arrivesAt: Date;
  driveMs: number;
  driveMetres: number;
  maxDetourMs: number;
  /** At each of its stops, by position. */
  at: Date[];
}

/**
 * A ride's times for people who never rode along: by rounded places, in whole minutes and hundreds of meters.
 */
function roundedTimes(context: ViewContext, ride: RideRow, stops: readonly StopRow[]): RideTimes {
  const departsMs = wholeMinutes(ride.departsAt.getTime());
  const driveMsOf = ({ milliseconds }: { milliseconds: number }) =>
    inTraffic(milliseconds, ride.trafficPermille);
  const at: Date[] = [];
  let offsetMs = 0;
  stops.forEach((stop, position) => {
    at.push(new Date(wholeMinutes(departsMs + offsetMs)));
    const next = stops[position + 1];
    if (next !== undefined) offsetMs += stop.standsMs + driveMsOf(context.betweenRounded(stop, next));
  });
  const own = [fromOf(ride), ...ride.via, toOf(ride)];
  const legs = own.slice(1).map((place, index) => context.betweenRounded(own[index]!, place));
  const driveMs = legs.reduce((sum, leg) => sum + driveMsOf(leg), viaStandsMs * ride.via.length);
  return {
    departsAt: new Date(departsMs),
    arrivesAt: at.at(-1) ?? new Date(wholeMinutes(departsMs + driveMs)),
    driveMs: wholeMinutes(driveMs),
    driveMetres: wholeHundreds(legs.reduce((sum, { metres }) => sum + metres, 0)),
    maxDetourMs: wholeMinutes(ride.maxDetourMs),
    at,
  };
}

const exactTimes = (ride: RideRow, stops: readonly StopRow[]): RideTimes => ({
  ...ride,
  at: stops.map((stop) => stop.at),
});

/** A ride as the viewer may see it. */
export function viewRide(context: ViewContext, ride: RideRow): Ride {
  const facts = viewRideFacts(context, ride);
  return { ...facts, nextAction: nextActionOf(facts) };
}

function viewRideFacts(context: ViewContext, ride: RideRow): Omit<Ride, 'nextAction'> {
  const { viewerId, now } = context;
  const stops = context.stops.get(ride.id) ?? [];
  const all = context.bookingsByRide.get(ride.id) ?? [];
  const mine = viewerId === ride.driverId;
  const visible = mine ? all : all.filter((booking) => booking.passengerId === viewerId);
  const onBoard = visible.filter((booking) => rodeTogether.includes(booking.state));
  const exact = mine || exactFor(visible, ride.endedAt, now);
  const together = !mine && onBoard.length > 0 && exact;
  // People who once rode along know its exact times.
  const isKnown = mine || visible.some(({ joinedAt }) => joinedAt !== null);
  const times = isKnown ? exactTimes(ride, stops) : roundedTimes(context, ride, stops);
  const vehicle = ride.vehicleId === null ? undefined : context.vehicles.get(ride.vehicleId);
  const bookingStates = all.map((booking) => booking.state);
  const facts = rideFacts(ride, stops, all);
  const aboard = all.filter((booking) => ridingStates.includes(booking.state));
  const shownStops = stops.filter(
    (stop) => mine || stop.bookingId === null || visible.some((booking) => booking.id === stop.bookingId),
  );
  return {
    role: 'driver',
    state: ride.state,
    ...common(context, ride, { role: 'driver', bookingStates, mine, exact }),
    driver: personOf(context, ride.driverId),
    phone: together ? (context.phones.get(ride.driverId) ?? '') : '',
    email: together && ride.contactWith === 'email' ? (context.emails.get(ride.driverId) ?? '') : '',
    vehicle:
      vehicle === undefined
        ? null
        : { ...vehicle, plate: mine || (onBoard.length > 0 && exact) ? vehicle.plate : '' },
    edit: mine ? rideEdit(ride.state, all) : 'none',
    departsAt: times.departsAt.toISOString(),
    earliestDepartsAt: ride.earliestDepartsAt.toISOString(),
    latestDepartsAt: ride.latestDepartsAt.toISOString(),
    arrivesAt: times.arrivesAt.toISOString(),
    seats: ride.seats,
    seatsFree: ride.seats - Math.max(0, ...stops.map((stop) => stop.seatsTaken)),
    priceKind: ride.priceKind,
    costCents: ride.costCents,
    maxDetourSeconds: Math.round(times.maxDetourMs / 1000),
    driveSeconds: Math.round(times.driveMs / 1000),
    driveMetres: times.driveMetres,
    via: ride.via.map((place) => shown(context, place, exact)),
    stops: shownStops.map((stop) => {
      const at = times.at[stops.indexOf(stop)]!;
      return viewStop(context, ride, { ...stop, at }, { via: viaBefore(stops, stop), exact });
    }),
    change: viewChange(context, ride, all, exact),
    instant: ride.instant,
    waitlist: viewWaitlist(context, ride, mine),
    bookings: visible.map((booking) => viewBooking(context, booking)),
    passengers:
      mine || onBoard.length > 0 ? aboard.map((booking) => personOf(context, booking.passengerId)) : [],
    may: mine ? mayMoveRide(facts, now) : [],
    roomId:
      (mine && all.some((booking) => rodeTogether.includes(booking.state))) || onBoard.length > 0
        ? ride.id
        : null,
    mine,
  };
}

/** A proposal as the driver or a passenger on board sees it; null for all others. */
function viewChange(
  context: ViewContext,
  ride: RideRow,
  bookings: readonly BookingRow[],
  exact: boolean,
): Ride['change'] {
  const open = context.changes.get(ride.id);
  if (open === undefined) return null;
  const agreed = bookings.filter(isAgreed);
  const mine = context.viewerId === ride.driverId;
  const own = agreed.find(({ passengerId }) => passengerId === context.viewerId);
  if (!mine && own === undefined) return null;
  const { change, accepted } = open;
  const isOver = change.expiresAt <= context.now;
  const answers = own === undefined || accepted.has(own.id) ? [] : (['accept', 'decline'] as const);
  return {
    id: change.id,
    departsAt: change.departsAt.toISOString(),
    costCents: change.costCents,
    way: viewProposedRoute(context, ride, change, { shownTo: own === undefined ? agreed : [own], exact }),
    note: change.note,
    expiresAt: change.expiresAt.toISOString(),
    accepted: agreed.filter(({ id }) => accepted.has(id)).length,
    asked: agreed.length,
    fareCents:
      own === undefined ? null : ceilingCents({ ...ride, costCents: change.costCents }, own.seats, null),
    may: isOver ? [] : mine ? ['withdraw'] : [...answers],
  };
}

/** A proposed route, for a viewer who may see the stops of `shownTo`. */
function viewProposedRoute(
  context: ViewContext,
  ride: RideRow,
  { way, route, departsAt }: ChangeRow,
  { shownTo, exact }: { shownTo: readonly BookingRow[]; exact: boolean },
): NonNullable<Ride['change']>['way'] {
  if (way === null || route === null) return null;
  const would: RideRow = { ...ride, ...columnsOfRoute(way), viaPassed: 0 };
  const times = timesOf(route, departsAt);
  const stops = route.map((stop, position): StopRow => ({
    ...stop,
    rideId: ride.id,
    position,
    at: times[position]!,
    seats: ride.seats,
  }));
  const byMs = departsAt.getTime() - ride.departsAt.getTime();
  return {
    from: shown(context, way.from, exact),
    to: shown(context, way.to, exact),
    via: way.via.map((place) => shown(context, place, exact)),
    stops: stops
      .filter(({ bookingId }) => bookingId === null || shownTo.some(({ id }) => id === bookingId))
      .map((stop) => viewStop(context, would, stop, { via: viaBefore(stops, stop), exact })),
    driveSeconds: Math.round(way.driveMs / 1000),
    driveMetres: way.driveMetres,
    arrivesAt: times.at(-1)!.toISOString(),
    beyondWindow: shownTo.some((booking) => {
      const after = newTimesOf(route, departsAt, booking);
      return after !== null && windowAfter(context.requests.get(booking.requestId)!, byMs, after).isWider;
    }),
  };
}

function viewWaitlist(context: ViewContext, ride: RideRow, mine: boolean): Ride['waitlist'] {
  const waiting = context.waitingByRide.get(ride.id) ?? [];
  return {
    count: waiting.length,
    waiting: waiting.flatMap(({ requestId, passengerId }, index) =>
      mine || passengerId === context.viewerId
        ? [
            {
              requestId,
              passenger: personOf(context, passengerId),
              seats: context.requests.get(requestId)?.seats ?? 1,
              place: index + 1,
            },
          ]
        : [],
    ),
  };
}

/** The number of the driver's own stops before this one. */
const viaBefore = (stops: readonly StopRow[], { position }: StopRow): number =>
  stops.filter((each) => each.kind === 'via' && each.position < position).length;

/** @param via the number of the driver's own stops before this one. */
function viewStop(
  context: ViewContext,
  ride: RideRow,
  stop: StopRow,
  { via, exact }: { via: number; exact: boolean },
): Ride['stops'][number] {
  const booking =
    stop.bookingId === null
      ? undefined
      : (context.bookingsByRide.get(ride.id) ?? []).find((each) => each.id === stop.bookingId);
  const request = booking === undefined ? undefined : context.requests.get(booking.requestId);
  const place =
    booking === undefined || request === undefined
      ? stop.kind === 'start'
        ? fromOf(ride)
        : stop.kind === 'via'
          ? ride.via[via]!
          : toOf(ride)
      : boardingPlace(booking, request, stop.kind === 'pickup' ? 'pickup' : 'dropoff');
  // The seat is reserved, its passenger has not joined: the driver sees the street alone.
  const isKept = booking?.state === 'waiting for passenger acceptance';
  const isOwn = booking === undefined || booking.passengerId === context.viewerId;
  // A day after the ride, the driver no longer sees a passenger's exact place.
  const isOver = !isOwn && !isKept && !exactFor([booking], booking.endedAt ?? ride.endedAt, context.now);
  const visible = shown(context, place, exact && (isOwn || (!isKept && !isOver)));
  return {
    kind: stop.kind,
    bookingId: stop.bookingId,
    passengerName: booking === undefined ? '' : personOf(context, booking.passengerId).name,
    place: visible,
    passed: stop.kind === 'via' && via < ride.viaPassed,
    at: (isKept ? toldAt(context, booking, stop) : stop.at).toISOString(),
    lon: visible.lon,
    lat: visible.lat,
  };
}

/** The shown time of a stop for a reserved seat, whose passenger has not joined. */
function toldAt(context: ViewContext, booking: BookingRow, stop: StopRow): Date {
  const told = context.told.get(booking.id);
  if (told === undefined) return new Date(wholeMinutes(stop.at.getTime()));
  return new Date(stop.kind === 'pickup' ? told.pickupMs : told.dropoffMs);
}

const placesOf = (context: ViewContext, requestId: string): Request['waitlists'] =>
  [...context.waitingByRide].flatMap(([rideId, waiting]) => {
    const index = waiting.findIndex((each) => each.requestId === requestId);
    return index < 0 ? [] : [{ rideId, place: index + 1 }];
  });

/** A request's drive and arrival time, for people who never rode with its passenger. */
function roundedWindow(
  context: ViewContext,
  request: RequestRow,
): Pick<RequestRow, 'arriveBy' | 'driveMs' | 'driveMetres'> {
  const drive = context.betweenRounded(fromOf(request), toOf(request));
  const permille = context.trafficPermilleAt(fromOf(request), request.latestAt);
  const driveMs = inTraffic(drive.milliseconds, permille);
  const latestMs = request.latestAt.getTime();
  // Unless the passenger entered it, the arrival time follows from their exact places.
  const follows = request.arriveBy.getTime() === arriveByMs(latestMs, request.driveMs);
  const byMs = follows ? arriveByMs(latestMs, driveMs) : request.arriveBy.getTime();
  return {
    arriveBy: new Date(wholeMinutes(byMs)),
    driveMs: wholeMinutes(driveMs),
    driveMetres: wholeHundreds(drive.metres),
  };
}

/** A request as the viewer may see it. */
export function viewRequest(context: ViewContext, request: RequestRow): Request {
  const facts = viewRequestFacts(context, request);
  return { ...facts, nextAction: nextActionOf(facts) };
}

function viewRequestFacts(context: ViewContext, request: RequestRow): Omit<Request, 'nextAction'> {
  const all = context.bookingsByRequest.get(request.id) ?? [];
  const mine = context.viewerId === request.passengerId;
  const visible = mine ? all : all.filter((booking) => booking.driverId === context.viewerId);
  const bookingStates = all.map((booking) => booking.state);
  const joined = all.find((booking) => ridingStates.includes(booking.state)) ?? null;
  const latest = joined ?? all.at(-1) ?? null;
  const exact = mine || exactFor(visible, request.endedAt, context.now);
  const ride = latest === null || !mine ? undefined : context.rides.get(latest.rideId);
  const isKnown = mine || visible.some(({ joinedAt }) => joinedAt !== null);
  const times = isKnown ? request : roundedWindow(context, request);
  return {
    role: 'passenger',
    state: request.state,
    ...common(context, request, { role: 'passenger', bookingStates, mine, exact }),
    passenger: personOf(context, request.passengerId),
    edit: mine ? requestEdit(request.state, all) : 'none',
    earliestAt: request.earliestAt.toISOString(),
    latestAt: request.latestAt.toISOString(),
    arriveBy: times.arriveBy.toISOString(),
    seats: request.seats,
    offerCents: request.offerCents,
    walkMetres: request.walkMetres,
    driveSeconds: Math.round(times.driveMs / 1000),
    driveMetres: times.driveMetres,
    bookings: visible.map((booking) => viewBooking(context, booking)),
    waitlists: mine ? placesOf(context, request.id) : [],
    ride: ride === undefined ? null : viewRide(context, ride),
    may: mine ? mayMoveRequest(request.state, joined?.state ?? null, joined?.unclearAt != null) : [],
    mine,
  };
}
