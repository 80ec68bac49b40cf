/** The side of the world at zoom 0, in pixels of the screen. */
export const worldPx = 512;

/** The map's own measure: the world is a square of side 1, x from the west, y from the north. */
export const xOf = (lon: number): number => (lon + 180) / 360;
export const yOf = (lat: number): number => {
  const sine = Math.sin((lat * Math.PI) / 180);
  return 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI);
};
export const lonOf = (x: number): number => x * 360 - 180;
export const latOf = (y: number): number => (Math.atan(Math.sinh(Math.PI * (1 - 2 * y))) * 180) / Math.PI;

/** The side of the world at a zoom, in pixels. */
export const scaleAt = (zoom: number): number => worldPx * 2 ** zoom;
