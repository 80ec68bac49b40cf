import { drivingAction } from '#contract/rides/next-action.ts';
import type { Booking, Ride } from '#contract/rides/views.ts';

type Stop = Ride['stops'][number];

/** The one thing a driver does next on the day of a ride. */
export type DriverStep =
  | { kind: 'tooEarly' }
  | { kind: 'reachStart'; stop: Stop | undefined }
  | { kind: 'board'; booking: Booking; stop: Stop | undefined }
  | { kind: 'depart'; allowed: boolean }
  | { kind: 'reachPickup'; booking: Booking; stop: Stop | undefined }
  /** `number` counts the driver's own stops from 1. */
  | { kind: 'passStop'; number: number; stop: Stop }
  | { kind: 'dropOff'; booking: Booking; stop: Stop | undefined }
  | { kind: 'arrive'; stop: Stop | undefined }
  | { kind: 'over' };

/** What comes next, from what the driver may do now, with the stop and the passenger it is about. */
export function driverStep(ride: Ride): DriverStep {
  switch (ride.state) {
    case 'finished':
    case 'cancel':
    case 'expired':
      return { kind: 'over' };
    case 'matching':
    case 'full':
      return { kind: 'tooEarly' };
    default:
      return dayStep(ride);
  }
}

function dayStep(ride: Ride): DriverStep {
  const next = drivingAction(ride);
  const stopOf = (kind: Stop['kind'], bookingId: string | null = null) =>
    ride.stops.find((stop) => stop.kind === kind && stop.bookingId === bookingId);
  switch (next.kind) {
    case 'reachStart':
      return { kind: 'reachStart', stop: stopOf('start') };
    case 'depart':
      return { kind: 'depart', allowed: ride.may.includes('depart') };
    case 'passStop':
      return viaStep(ride) ?? { kind: 'arrive', stop: stopOf('end') };
    default:
  }
  const booking = ride.bookings.find(({ id }) => id === next.bookingId);
  if (booking !== undefined && next.kind === 'board')
    return { kind: 'board', booking, stop: stopOf('pickup', booking.id) };
  if (booking !== undefined && next.kind === 'reachPickup')
    return { kind: 'reachPickup', booking, stop: stopOf('pickup', booking.id) };
  if (booking !== undefined && next.kind === 'dropOff')
    return { kind: 'dropOff', booking, stop: stopOf('dropoff', booking.id) };
  return { kind: 'arrive', stop: stopOf('end') };
}

/** The driver's own stop that comes next. */
function viaStep(ride: Ride): DriverStep | undefined {
  const via = ride.stops.filter(({ kind }) => kind === 'via');
  const index = via.findIndex(({ passed }) => !passed);
  const stop = via[index];
  return stop && { kind: 'passStop', number: index + 1, stop };
}
