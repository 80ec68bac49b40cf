/** What the judgement of two people's ways needs of each. */
export interface WeeklyWay {
  role: 'driver' | 'passenger';
  /** Bit 0 is Monday. */
  days: number;
  /** Minutes after midnight at which they leave, or want to be picked up. */
  minute: number;
  driveMs: number;
  maxDetourMs: number;
}

/** Drives from the start of who drives to the start of who rides along, and from that one's end to the driver's. */
export interface Ends {
  toStartMs: number;
  fromEndMs: number;
}

export interface Company {
  /** The days of both. */
  days: number;
  /** When the car is where the passenger starts. */
  minute: number;
  detourMs: number;
}

const dayMinutes = 1440;
const minuteMs = 60_000;
/** So much earlier or later people leave for company. */
const patienceMinutes = 30;

/** Minutes between two times of day, the shorter way round the clock. */
export function minutesApart(a: number, b: number): number {
  const apart = (((a - b) % dayMinutes) + dayMinutes) % dayMinutes;
  return Math.min(apart, dayMinutes - apart);
}

function together(driver: WeeklyWay, passenger: WeeklyWay, ends: Ends | null): Company | null {
  if (ends === null) return null;
  const detourMs = Math.max(0, ends.toStartMs + passenger.driveMs + ends.fromEndMs - driver.driveMs);
  if (detourMs > driver.maxDetourMs) return null;
  const meets = driver.minute + ends.toStartMs / minuteMs;
  if (minutesApart(meets, passenger.minute) > patienceMinutes) return null;
  return { days: driver.days & passenger.days, minute: meets % dayMinutes, detourMs };
}

/**
 * How two weekly ways go together: on the days of both, within half an hour, and within the detour of whoever drives. Two
 * who both drive, or both ride along, are measured by the smaller detour of the two: they can take turns.
 * @param mine drives to and from the other's ends, as if I drove. @param theirs the same the other way round.
 */
export function companyOf(
  me: WeeklyWay,
  other: WeeklyWay,
  mine: Ends | null,
  theirs: Ends | null,
): Company | null {
  if ((me.days & other.days) === 0) return null;
  const iDrive = together(me, other, mine);
  const theyDrive = together(other, me, theirs);
  if (me.role !== other.role) return me.role === 'driver' ? iDrive : theyDrive;
  if (iDrive === null || theyDrive === null) return iDrive ?? theyDrive;
  return iDrive.detourMs <= theyDrive.detourMs ? iDrive : theyDrive;
}
