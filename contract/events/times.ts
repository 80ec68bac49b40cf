import { arriveAheadMinutes, leaveWithinMinutes } from './endpoints.ts';

const minuteMs = 60_000;
const fiveMinutesMs = 5 * minuteMs;
/** How long the pick-up window lasts before the passenger must leave. */
const fetchWithinMs = 45 * minuteMs;

/** When a driver must leave for an event, at the earliest and at the latest. Milliseconds since 1970. */
export function driveThere(startsMs: number, driveMs: number): { earliestMs: number; latestMs: number } {
  const earliestMs = floor5(startsMs - arriveAheadMinutes.earliest * minuteMs - driveMs);
  const flexMs = (arriveAheadMinutes.earliest - arriveAheadMinutes.latest) * minuteMs;
  return { earliestMs, latestMs: earliestMs + flexMs };
}

/**
 * The pick-up window of a passenger for an event: a ride may take half as long again as the direct drive, and
 * at least 20 minutes more.
 */
export function rideThere(startsMs: number, driveMs: number): { earliestMs: number; latestMs: number } {
  const latestMs = floor5(startsMs - Math.max(1.5 * driveMs, driveMs + 20 * minuteMs));
  return { earliestMs: latestMs - fetchWithinMs, latestMs };
}

/** The departure window of the return. */
export const driveBack = (endsMs: number) => ({
  earliestMs: endsMs,
  latestMs: endsMs + leaveWithinMinutes.driver * minuteMs,
});
export const rideBack = (endsMs: number) => ({
  earliestMs: endsMs,
  latestMs: endsMs + leaveWithinMinutes.passenger * minuteMs,
});

const floor5 = (ms: number): number => Math.floor(ms / fiveMinutesMs) * fiveMinutesMs;
