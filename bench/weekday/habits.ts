/**
 * The habits of people on the simulated weekday. These are assumptions, not measurements: round figures of a
 * community in which most registered people commute by car and nine in ten weekdays are like any other.
 */
export const habits = {
  /** Shares of all people; the rest opens the app and reads. */
  drivers: 0.3,
  passengers: 0.4,
  /** Trips that a weekly plan publishes by itself, at night. */
  recurring: 0.5,
  /** The average time from publishing by hand to the departure. */
  meanLeadHours: 10,
  searchesPerRequest: 2,
  /** Passengers' trips for which a driver is asked and says yes, and how many are asked until then. */
  agreed: 0.7,
  asksPerAgreed: 1.3,
  paid: 0.5,
  linesPerBooking: 6,
  reviewed: 0.4,
  /** Passengers on board of a car that has any. */
  passengersPerCar: 1.5,
  opensPerDay: { traveler: 6, other: 1 },
  /** The time that the app stays open, with its connection. */
  openMinutes: 4,
  /** A drive of a commuter, in minutes: e to the power of a normal figure with this middle and spread. */
  driveLog: { middle: Math.log(20), spread: 0.45 },
  positionsPerMinute: 30,
} as const;

export const departures = [
  { middleMinute: 7.83 * 60, spreadMinutes: 40 },
  { middleMinute: 17.17 * 60, spreadMinutes: 50 },
] as const;
/** When weekly plans publish the next day's rides. */
export const nightMinutes = { from: 2 * 60, until: 4 * 60 } as const;
