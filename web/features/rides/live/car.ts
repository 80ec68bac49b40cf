import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { whereIsCar, type Arrival, type CarPosition } from '#contract/trips/endpoints.ts';
import { dayRideStates } from '#contract/rides/moves.ts';
import type { Ride } from '#contract/rides/views.ts';
import { now } from '../../../core/clock.ts';
import { useCall } from '../../../core/queries.ts';
import type { MapPin } from '../../../map/shapes.ts';

/** Positions come over the live connection; this finds them where it is down. */
const lookAgainMs = 20_000;

export const isUnderWay = (ride: Ride): boolean => dayRideStates.includes(ride.state);

/**
 * Where the car of a ride is right now, as far as the driver lets those concerned know; null where the
 * driver does not say.
 */
export function useCar(ride: Ride): CarPosition | null {
  const { data } = useCall(
    whereIsCar,
    { id: ride.id },
    { enabled: isUnderWay(ride), quiet: true, refetchInterval: lookAgainMs },
  );
  return isUnderWay(ride) ? (data?.position ?? null) : null;
}

/** A forecast may be this old: the car has stopped, or its next position is on the way. */
const mostOverdueMs = 60_000;

/** An arrival that is still to come. One in the past was computed from an old position: the plan counts. */
export const stillToCome = (at: string | undefined): string | undefined =>
  at !== undefined && Date.parse(at) >= now() - mostOverdueMs ? at : undefined;

/** When the car is expected at a stop, by the roads; undefined where that is not known. */
export const arrivalAt = (
  car: CarPosition | null,
  kind: Arrival['kind'],
  bookingId: string | null = null,
): string | undefined =>
  stillToCome(car?.arrivals.find((each) => each.kind === kind && each.bookingId === bookingId)?.at);

/** The same at a stop of the driver's own: those ahead come in their order. */
export function arrivalAtVia(
  car: CarPosition | null,
  ride: Ride,
  stop: Ride['stops'][number],
): string | undefined {
  const ahead = ride.stops.filter(({ kind, passed }) => kind === 'via' && !passed);
  const arrivals = car?.arrivals.filter(({ kind }) => kind === 'via') ?? [];
  return stillToCome(arrivals[ahead.indexOf(stop)]?.at);
}

/** The pins of a map with the car among them. */
export function usePinsWithCar(pins: MapPin[], car: CarPosition | null, driverName: string): MapPin[] {
  const { t } = useTranslation('rides');
  const label = t('car.of', { name: driverName });
  const [lon, lat] = car === null ? [null, null] : [car.lon, car.lat];
  return useMemo(
    () =>
      lon === null || lat === null
        ? pins
        : [...pins, { id: 'car', lon, lat, kind: 'car', letter: '', label }],
    [pins, lon, lat, label],
  );
}
