import { device } from '../../../core/device/this-device.ts';

/** A point on the map. */
export interface Here {
  lon: number;
  lat: number;
}

/** Long enough for a phone that has just woken, short enough for a passenger at the curb. */
const patienceMs = 6000;

let watched: Here | null = null;

/**
 * The latest position of a running watch; null once it has ended. A device that does not move reports only
 * once.
 */
export const keepWatched = (at: Here | null): void => {
  watched = at;
};

/** Where the device is, where the person allows it and it knows; works without a connection too. */
export const whereAmI = async (): Promise<Here | null> =>
  watched ?? device().position({ withinMs: patienceMs, maxAgeMs: 15_000 });
