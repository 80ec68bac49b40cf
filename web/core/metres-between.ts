interface Point {
  lon: number;
  lat: number;
}

const radians = Math.PI / 180;

/** Metres between two points as the crow flies, on the same sphere as the server's. */
export function metresBetween(a: Point, b: Point): number {
  const half = (degrees: number) => Math.sin((degrees * radians) / 2) ** 2;
  const across = Math.cos(a.lat * radians) * Math.cos(b.lat * radians) * half(b.lon - a.lon);
  return 2 * 6_371_008.8 * Math.asin(Math.sqrt(half(b.lat - a.lat) + across));
}
