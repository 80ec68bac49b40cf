/**
 * How much longer a drive takes than on a free road, in permille of the free drive, by the hour of departure
 * in the place's local time: 24 values for Monday to Friday, and 24 for Saturday and Sunday. One value
 * applies to all roads of a region and to the whole drive, so it never changes which of two drives is
 * shorter.
 */
export interface TrafficProfile {
  weekday: readonly number[];
  weekend: readonly number[];
}

/** A drive without traffic. */
export const freePermille = 1000;
/** Upper limit of a profile's values: twice as long as on a free road. */
export const mostPermille = 2000;

/**
 * A small urban area of the United States, for a region without values of its own. The travel time index is
 * the drive of the peaks over the drive on a free road: 1.05 to 1.15 in small areas (Bureau of Transportation
 * Statistics, National Transportation Statistics, table 1-64: Anchorage 1.05, Bakersfield 1.06, Beaumont
 * 1.07, Boulder 1.09, Allentown 1.15). The mean of the two weekday peaks (6 to 10, 15 to 19) is 1.11 here;
 * the shape within them is an assumption.
 */
export const smallUrbanArea: TrafficProfile = {
  // prettier-ignore
  weekday: [
    1000, 1000, 1000, 1000, 1000, 1010, 1040, 1130, 1150, 1070, 1050, 1060,
    1070, 1070, 1080, 1110, 1150, 1170, 1090, 1050, 1030, 1010, 1000, 1000,
  ],
  // prettier-ignore
  weekend: [
    1000, 1000, 1000, 1000, 1000, 1000, 1000, 1010, 1020, 1030, 1040, 1050,
    1060, 1060, 1060, 1050, 1050, 1040, 1040, 1030, 1020, 1010, 1000, 1000,
  ],
};

/** The permille of an hour. @param weekday 1 is Monday, 7 is Sunday. @param hour 0 to 23. */
export const permilleAt = (profile: TrafficProfile, weekday: number, hour: number): number =>
  (weekday >= 6 ? profile.weekend : profile.weekday)[hour]!;

/** The duration of a drive in traffic, in whole milliseconds, rounded up; Infinity stays Infinity. */
export const inTraffic = (freeMs: number, permille: number): number =>
  permille === freePermille ? freeMs : Math.ceil((freeMs * permille) / freePermille);

/**
 * @throws Error unless a profile has 24 whole values for each kind of day, each from `freePermille` to
 *   `mostPermille`.
 */
export function checkProfile(profile: TrafficProfile): TrafficProfile {
  for (const kind of ['weekday', 'weekend'] as const) {
    const hours = profile[kind];
    if (
      hours.length !== 24 ||
      !hours.every((each) => Number.isInteger(each) && each >= freePermille && each <= mostPermille)
    )
      throw new Error(`traffic.${kind} needs 24 whole numbers from ${freePermille} to ${mostPermille}`);
  }
  return profile;
}
