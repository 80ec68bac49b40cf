import type { Insertion } from '../matching/service.ts';
import type { BookingRow, RequestRow, RideRow } from './store.ts';

/** The fields of a new booking: its people, places, times and price. */
export const bookedPlace = (
  ride: RideRow,
  request: RequestRow,
  { pickup, dropoff, pickupMs, dropoffMs, detourMs, detourMetres }: Insertion,
  fareCents: number,
) =>
  ({
    rideId: ride.id,
    requestId: request.id,
    driverId: ride.driverId,
    passengerId: request.passengerId,
    regionId: ride.regionId,
    seats: request.seats,
    pickupLon: pickup.lon,
    pickupLat: pickup.lat,
    dropoffLon: dropoff.lon,
    dropoffLat: dropoff.lat,
    pickupWalkMetres: pickup.walkMetres,
    dropoffWalkMetres: dropoff.walkMetres,
    pickupWalkMs: pickup.walkMs,
    dropoffWalkMs: dropoff.walkMs,
    pickupName: pickup.name,
    dropoffName: dropoff.name,
    pickupAt: new Date(pickupMs),
    dropoffAt: new Date(dropoffMs),
    fareCents,
    detourMs,
    detourMetres,
  }) satisfies Partial<BookingRow>;
