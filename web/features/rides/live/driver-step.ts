import { meetingStates } from '#contract/rides/moves.ts';
import type { Booking, Ride } from '#contract/rides/views.ts';

type Stop = Ride['stops'][number];

/** The one thing a driver does next on the day of a ride. */
export type DriverStep =
  | { kind: 'tooEarly' }
  | { kind: 'reachStart'; stop: Stop | undefined }
  | { kind: 'board'; booking: Booking; stop: Stop | undefined }
  | { kind: 'depart'; allowed: boolean }
  | { kind: 'reach'; booking: Booking; stop: Stop | undefined }
  /** `number` counts the driver's own stops from 1. */
  | { kind: 'passStop'; number: number; stop: Stop }
  | { kind: 'dropOff'; booking: Booking; stop: Stop | undefined }
  | { kind: 'arrive'; stop: Stop | undefined }
  | { kind: 'over' };

/**
 * What comes next, from what the driver may do now: first the passenger who stands at the car, then the
 * stops in their order.
 */
export function driverStep(ride: Ride): DriverStep {
  const stopOf = (kind: Stop['kind'], bookingId: string | null = null) =>
    ride.stops.find((stop) => stop.kind === kind && stop.bookingId === bookingId);
  switch (ride.state) {
    case 'finished':
    case 'cancel':
    case 'expired':
      return { kind: 'over' };
    case 'matching':
    case 'full':
      return { kind: 'tooEarly' };
    case 'waiting':
      return { kind: 'reachStart', stop: stopOf('start') };
    default:
  }
  const atTheCar = ride.bookings.find(({ state }) => meetingStates.includes(state));
  if (atTheCar) return { kind: 'board', booking: atTheCar, stop: stopOf('pickup', atTheCar.id) };
  if (ride.state === 'driver reached') return { kind: 'depart', allowed: ride.may.includes('depart') };
  let via = 0;
  for (const stop of ride.stops) {
    if (stop.kind === 'via') {
      via++;
      if (!stop.passed) return { kind: 'passStop', number: via, stop };
    }
    const booking = ride.bookings.find(({ id }) => id === stop.bookingId);
    if (!booking) continue;
    if (stop.kind === 'pickup' && booking.may.includes('reach')) return { kind: 'reach', booking, stop };
    if (stop.kind === 'dropoff' && booking.may.includes('dropOff')) return { kind: 'dropOff', booking, stop };
  }
  return { kind: 'arrive', stop: stopOf('end') };
}
