import type { Order, Request, Ride } from '#contract/rides/views.ts';
import { place } from '#contract/units.ts';
import { localOf } from '../../core/zoned-time.ts';
import { editedRequestStore, editedRideStore, type DriverDraft, type PassengerDraft } from './draft.ts';
import type { RequestInput, RideInput } from './publish.ts';
import { detourMinutes } from './ride-form.tsx';

const minutesBetween = (from: string, to: string) => Math.round((Date.parse(to) - Date.parse(from)) / 60_000);

const shared = (order: Order) => ({
  from: place.parse(order.from),
  to: place.parse(order.to),
  seats: order.seats,
  visibility: order.visibility,
  tagIds: order.tagIds,
  note: order.note,
  contactWith: order.contactWith,
  flightNumber: order.flightNumber,
  eventId: order.eventId,
  preferences: order.preferences,
  back: null,
  weekly: null,
});

/** A published ride as the form shows it. */
export function draftOfRide(ride: Ride): DriverDraft {
  const detour = ride.maxDetourSeconds / 60;
  return {
    ...shared(ride),
    via: ride.via.map((stop) => place.parse(stop)),
    local: localOf(ride.earliestDepartsAt, ride.timeZone),
    flexMinutes: minutesBetween(ride.earliestDepartsAt, ride.latestDepartsAt),
    vehicleId: ride.vehicle?.id ?? null,
    price: ride.costCents === 0 ? 'free' : ride.priceKind,
    costCents: ride.costCents === 0 ? null : ride.costCents,
    // A detour that cannot be chosen is the advised one.
    instant: ride.instant,
    maxDetourMinutes: detourMinutes.includes(detour) ? detour : null,
  };
}

/** A published request as the form shows it: a time, and as much earlier as later. */
export function draftOfRequest(request: Request): PassengerDraft {
  const half = minutesBetween(request.earliestAt, request.latestAt) / 2;
  return {
    ...shared(request),
    local: localOf(Date.parse(request.earliestAt) + half * 60_000, request.timeZone),
    flexMinutes: half,
    offerCents: request.offerCents,
    walkMetres: request.walkMetres,
  };
}

/** Starts to edit an order from how it stands. */
export function startEditing(order: Order): void {
  if (order.role === 'driver') editedRideStore.write({ ...draftOfRide(order), of: order.id });
  else editedRequestStore.write({ ...draftOfRequest(order), of: order.id });
}

/** The ride as entered, with the terms that stand, to the letter. */
export const withRideTerms = (entered: RideInput, ride: Ride): RideInput => ({
  ...entered,
  from: place.parse(ride.from),
  to: place.parse(ride.to),
  via: ride.via.map((stop) => place.parse(stop)),
  preferences: ride.preferences,
  departsAt: ride.earliestDepartsAt,
  flexMinutes: minutesBetween(ride.earliestDepartsAt, ride.latestDepartsAt),
  priceKind: ride.priceKind,
  costCents: ride.costCents,
});

export const withRequestTerms = (entered: RequestInput, request: Request): RequestInput => ({
  ...entered,
  from: place.parse(request.from),
  to: place.parse(request.to),
  preferences: request.preferences,
  earliestAt: request.earliestAt,
  latestAt: request.latestAt,
  seats: request.seats,
  offerCents: request.offerCents,
  walkMetres: request.walkMetres,
});
