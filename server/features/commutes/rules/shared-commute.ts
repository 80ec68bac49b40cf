/** The facts of each for the comparison of two people's commutes. */
export interface WeeklyCommute {
  role: 'driver' | 'passenger';
  /** Bit 0 is Monday. */
  days: number;
  /** Minutes after midnight at which they leave, or want to be picked up. */
  minute: number;
  driveMs: number;
  maxDetourMs: number;
}

/** Drives from the driver's start to the passenger's, and from the passenger's end to the driver's. */
export interface Ends {
  toStartMs: number;
  fromEndMs: number;
}

/** A shared commute of two people. */
export interface SharedCommute {
  /** The days of both. */
  days: number;
  /** When the car is where the passenger starts. */
  minute: number;
  detourMs: number;
}

const dayMinutes = 1440;
const minuteMs = 60_000;
/** How much earlier or later people leave in order to share a car. */
const patienceMinutes = 30;

/** Minutes between two times of day, the shorter way around the clock. */
export function minutesApart(a: number, b: number): number {
  const apart = (((a - b) % dayMinutes) + dayMinutes) % dayMinutes;
  return Math.min(apart, dayMinutes - apart);
}

function together(driver: WeeklyCommute, passenger: WeeklyCommute, ends: Ends | null): SharedCommute | null {
  if (ends === null) return null;
  const detourMs = Math.max(0, ends.toStartMs + passenger.driveMs + ends.fromEndMs - driver.driveMs);
  if (detourMs > driver.maxDetourMs) return null;
  const meets = driver.minute + ends.toStartMs / minuteMs;
  if (minutesApart(meets, passenger.minute) > patienceMinutes) return null;
  return { days: driver.days & passenger.days, minute: meets % dayMinutes, detourMs };
}

/**
 * The ways in which two people can share their weekly commutes: on common days, within half an hour, and
 * within the driver's detour. Two drivers, or two passengers, are judged by the smaller of the two detours:
 * they can take turns.
 * @param mine drives to and from the other's ends, as if I drove. @param theirs the same with roles reversed.
 */
export function sharedCommuteOf(
  me: WeeklyCommute,
  other: WeeklyCommute,
  mine: Ends | null,
  theirs: Ends | null,
): SharedCommute | null {
  if ((me.days & other.days) === 0) return null;
  const iDrive = together(me, other, mine);
  const theyDrive = together(other, me, theirs);
  if (me.role !== other.role) return me.role === 'driver' ? iDrive : theyDrive;
  if (iDrive === null || theyDrive === null) return iDrive ?? theyDrive;
  return iDrive.detourMs <= theyDrive.detourMs ? iDrive : theyDrive;
}
