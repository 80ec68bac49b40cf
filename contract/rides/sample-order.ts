import { noPreferences } from './preferences.ts';
import { nextActionOf } from './next-action.ts';
import type { Booking, Request, Ride } from './views.ts';

const at = '2026-11-24T17:00:00.000Z';
const place = { name: 'Mission Street', detail: 'Santa Cruz', lon: -122.04, lat: 36.97, approximate: false };

const person = (name: string): Ride['driver'] => ({
  id: name.toLowerCase(),
  name,
  avatar: '',
  rating: null,
  ratingCount: 0,
  completedRides: 0,
  verifiedDriver: false,
});

/** A whole booking for tests: of Ana, who has joined, unless the fields say otherwise. */
export const sampleBooking = (fields: Partial<Booking> = {}): Booking => ({
  id: 'ana',
  rideId: 'ride',
  requestId: 'request',
  state: 'joined',
  startedBy: 'passenger',
  passenger: person('Ana'),
  phone: '',
  email: '',
  seats: 1,
  preferences: { pets: false, luggage: false, quiet: false },
  pickup: { ...place, at, walkMetres: 0 },
  boardsAtStart: false,
  dropoff: { ...place, at, walkMetres: 0 },
  fareCents: 0,
  leastCents: 0,
  payment: null,
  awaits: null,
  detourSeconds: 0,
  detourMetres: 0,
  savedCo2Grams: 0,
  message: '',
  reason: '',
  broken: null,
  unclear: null,
  expiresAt: null,
  reachedAt: null,
  reachedBy: null,
  contacted: false,
  noShowFrom: null,
  metBy: null,
  may: [],
  reviewDue: false,
  ...fields,
});

/** A stop of a ride for tests: at the departure, unless the fields say otherwise. */
export const sampleStop = (fields: Partial<Ride['stops'][number]> = {}): Ride['stops'][number] => ({
  kind: 'start',
  bookingId: null,
  passengerName: '',
  place,
  passed: false,
  at,
  lon: place.lon,
  lat: place.lat,
  ...fields,
});

/**
 * A whole ride for tests: Mia's own free one, with no stops and no one on board, unless the fields say
 * otherwise.
 */
export function sampleRide(fields: Partial<Ride> = {}): Ride {
  const ride = { ...wholeRide, label: fields.state ?? wholeRide.label, ...fields };
  return { ...ride, nextAction: nextActionOf(ride) };
}

const wholeRide: Ride = {
  id: 'ride',
  orderNumber: 'SW-1',
  role: 'driver',
  state: 'matching',
  label: 'matching',
  stage: 'Matching',
  from: place,
  to: place,
  timeZone: 'America/Los_Angeles',
  visibility: 'all users',
  tagIds: [],
  note: '',
  contactWith: 'phone',
  preferences: noPreferences,
  flightNumber: '',
  eventId: null,
  eventName: '',
  estimated: false,
  createdAt: at,
  edit: 'none',
  driver: person('Mia'),
  phone: '',
  email: '',
  vehicle: null,
  departsAt: at,
  earliestDepartsAt: at,
  latestDepartsAt: at,
  arrivesAt: at,
  seats: 3,
  seatsFree: 3,
  priceKind: 'perPerson',
  costCents: 0,
  maxDetourSeconds: 0,
  driveSeconds: 0,
  driveMetres: 0,
  via: [],
  stops: [],
  change: null,
  instant: false,
  waitlist: { count: 0, waiting: [] },
  bookings: [],
  passengers: [],
  may: [],
  roomId: null,
  nextAction: null,
  mine: true,
};

/** A whole request for tests: Ana's own, unanswered, unless the fields say otherwise. */
export function sampleRequest(fields: Partial<Request> = {}): Request {
  const request = { ...wholeRequest, label: fields.state ?? wholeRequest.label, ...fields };
  return { ...request, nextAction: nextActionOf(request) };
}

const wholeRequest: Request = {
  id: 'request',
  orderNumber: 'SW-2',
  role: 'passenger',
  state: 'matching',
  label: 'matching',
  stage: 'Matching',
  from: place,
  to: place,
  timeZone: 'America/Los_Angeles',
  visibility: 'all users',
  tagIds: [],
  note: '',
  contactWith: 'phone',
  preferences: noPreferences,
  flightNumber: '',
  eventId: null,
  eventName: '',
  estimated: false,
  createdAt: at,
  edit: 'none',
  passenger: person('Ana'),
  earliestAt: at,
  latestAt: at,
  arriveBy: at,
  seats: 1,
  offerCents: null,
  walkMetres: 0,
  driveSeconds: 0,
  driveMetres: 0,
  bookings: [],
  waitlists: [],
  ride: null,
  may: [],
  nextAction: null,
  mine: true,
};
