/** A position on the WGS 84 ellipsoid, in degrees. */
export interface LonLat {
  lon: number;
  lat: number;
}

/** West, south, east, north, in degrees. */
export type Bounds = [west: number, south: number, east: number, north: number];

const EARTH_RADIUS_METRES = 6_371_008.8;
const RADIANS = Math.PI / 180;

/** Meters in one degree of latitude on the sphere used by `greatCircleMetres`. */
export const METRES_PER_DEGREE = EARTH_RADIUS_METRES * RADIANS;

/** Great-circle distance in meters (haversine formula, mean earth radius of the IUGG). */
export function greatCircleMetres(a: LonLat, b: LonLat): number {
  const sinLat = Math.sin(((b.lat - a.lat) * RADIANS) / 2);
  const sinLon = Math.sin(((b.lon - a.lon) * RADIANS) / 2);
  const h = sinLat * sinLat + Math.cos(a.lat * RADIANS) * Math.cos(b.lat * RADIANS) * sinLon * sinLon;
  return 2 * EARTH_RADIUS_METRES * Math.asin(Math.min(1, Math.sqrt(h)));
}

/** Meters in one degree of longitude at a latitude. */
export function metresPerDegreeLon(lat: number): number {
  return METRES_PER_DEGREE * Math.cos(lat * RADIANS);
}

export interface NearestOnLine {
  lon: number;
  lat: number;
  /** Distance from the queried point to the line, in meters. */
  metres: number;
  /** Where on the line, 0 at its first vertex, 1 at its last, by length. */
  fraction: number;
}

/** One line within an array that holds the points of many. */
export interface LineStretch {
  /** Lon, lat, lon, lat … in units of `scale` degrees. */
  points: ArrayLike<number>;
  /** The index of its first number, and the index after its last. */
  start: number;
  end: number;
  scale: number;
}

/**
 * The point of a line nearest to `at`. Works on a plane tangent at `at`, so it is meant for lines within some
 * kilometers, where the error stays below a thousandth.
 */
export function nearestOnLine(at: LonLat, { points: line, start, end, scale }: LineStretch): NearestOnLine {
  const kx = metresPerDegreeLon(at.lat);
  const ky = METRES_PER_DEGREE;
  let ax = (line[start]! * scale - at.lon) * kx;
  let ay = (line[start + 1]! * scale - at.lat) * ky;
  let bestSquare = ax * ax + ay * ay;
  let bestX = ax;
  let bestY = ay;
  let bestAlong = 0;
  let along = 0;
  for (let i = start + 2; i < end; i += 2) {
    const bx = (line[i]! * scale - at.lon) * kx;
    const by = (line[i + 1]! * scale - at.lat) * ky;
    const dx = bx - ax;
    const dy = by - ay;
    const square = dx * dx + dy * dy;
    const length = Math.sqrt(square);
    const t = square === 0 ? 0 : Math.min(1, Math.max(0, -(ax * dx + ay * dy) / square));
    const x = ax + t * dx;
    const y = ay + t * dy;
    const distance = x * x + y * y;
    if (distance < bestSquare) {
      bestSquare = distance;
      bestX = x;
      bestY = y;
      bestAlong = along + t * length;
    }
    along += length;
    ax = bx;
    ay = by;
  }
  return {
    lon: at.lon + bestX / kx,
    lat: at.lat + bestY / ky,
    metres: Math.sqrt(bestSquare),
    fraction: along === 0 ? 0 : bestAlong / along,
  };
}

/** Whether a point lies inside a polygon: first ring the outline, the others holes (even-odd rule). */
export function insidePolygon(at: LonLat, rings: readonly (readonly (readonly number[])[])[]): boolean {
  let inside = false;
  for (const ring of rings) {
    for (let i = 0, j = ring.length - 1; i < ring.length; j = i++) {
      const [xi, yi] = ring[i] as [number, number];
      const [xj, yj] = ring[j] as [number, number];
      if (yi > at.lat !== yj > at.lat && at.lon < ((xj - xi) * (at.lat - yi)) / (yj - yi) + xi)
        inside = !inside;
    }
  }
  return inside;
}

/** Whether coordinates are numbers within ±180° and ±90°. */
export function isOnEarth({ lon, lat }: LonLat): boolean {
  return Math.abs(lon) <= 180 && Math.abs(lat) <= 90;
}

/** Whether a point lies within bounds, edges included. */
export function withinBounds(at: LonLat, [west, south, east, north]: Bounds): boolean {
  return at.lon >= west && at.lon <= east && at.lat >= south && at.lat <= north;
}

/** The rectangle around points. */
export function boundsOf(points: readonly LonLat[]): Bounds {
  const bounds: Bounds = [180, 90, -180, -90];
  for (const { lon, lat } of points) {
    bounds[0] = Math.min(bounds[0], lon);
    bounds[1] = Math.min(bounds[1], lat);
    bounds[2] = Math.max(bounds[2], lon);
    bounds[3] = Math.max(bounds[3], lat);
  }
  return bounds;
}

/** The rectangle around rectangles. */
export function boundsAround(all: readonly Bounds[]): Bounds {
  return boundsOf(
    all.flatMap(([west, south, east, north]) => [
      { lon: west, lat: south },
      { lon: east, lat: north },
    ]),
  );
}
