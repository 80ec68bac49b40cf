import type { LonLat } from '#roads/graph/geometry.ts';

/** A point to six decimals of a degree, which are a tenth of a meter. */
export const sixDecimals = ({ lon, lat }: LonLat): LonLat => ({
  lon: Math.round(lon * 1e6) / 1e6,
  lat: Math.round(lat * 1e6) / 1e6,
});
