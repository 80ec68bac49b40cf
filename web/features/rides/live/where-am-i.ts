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
 * What a running watch of the position has told last; null once it has ended. A device that stands still says
 * so once.
 */
export const keepWatched = (at: Here | null): void => {
  watched = at;
};

/** Where the device is, where the person allows it and it knows; works without a connection too. */
export const whereAmI = async (): Promise<Here | null> =>
  watched ?? device().position({ withinMs: patienceMs, maxAgeMs: 15_000 });

const radians = Math.PI / 180;

/** Metres between two points as the crow flies, on the same sphere as the server's. */
export function metresBetween(a: Here, b: Here): number {
  const half = (degrees: number) => Math.sin((degrees * radians) / 2) ** 2;
  const across = Math.cos(a.lat * radians) * Math.cos(b.lat * radians) * half(b.lon - a.lon);
  return 2 * 6_371_008.8 * Math.asin(Math.sqrt(half(b.lat - a.lat) + across));
}
