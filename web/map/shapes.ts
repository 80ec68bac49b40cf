/** Longitude, latitude. */
export type LonLat = readonly [number, number];

/** West, south, east, north. */
export type Bounds = readonly [number, number, number, number];

export interface MapRoute {
  line: readonly LonLat[];
  /**
   * `own` the driver's way (ink), `detour` what a passenger adds (brand), `shared` the ridden part (brand),
   * `walk` dotted.
   */
  kind: 'own' | 'detour' | 'shared' | 'walk';
}

export interface MapPin {
  id: string;
  lon: number;
  lat: number;
  /**
   * Origin is a ring, a stop of the driver's own a square, destination a solid pin, pick-up and drop-off
   * discs in brand: form tells them apart, not color.
   */
  kind: 'origin' | 'via' | 'destination' | 'pickup' | 'dropoff' | 'car' | 'person';
  /** One or two letters drawn in it: A, B, initials. */
  letter: string;
  /** What it is, for screen readers and the tooltip: a place's or person's name. */
  label: string;
}

export interface MapViewProps {
  /** A picture that takes no touches of its own: without buttons to zoom. */
  still?: boolean;
  /** Accessible name of the map. */
  label: string;
  /** The center of the view; without it and without `fit`, as much of the region as fills the view. */
  center?: LonLat | undefined;
  zoom?: number | undefined;
  /** Points or bounds to bring into view, above the sheet; again when they change. */
  fit?: readonly LonLat[] | Bounds | null | undefined;
  routes?: readonly MapRoute[] | undefined;
  pins?: readonly MapPin[] | undefined;
  /** The person's own position. */
  own?: LonLat | null | undefined;
  /**
   * Makes the map a chooser: a pin is in the middle, and every move of the map reports the place under it.
   */
  onPick?: ((at: LonLat) => void) | undefined;
  /** Makes pins buttons. */
  onPin?: ((id: string) => void) | undefined;
}

/** The smallest bounds that hold all points; null without points. */
export function boundsOf(points: readonly LonLat[]): Bounds | null {
  const [first] = points;
  if (!first) return null;
  let [west, south] = first;
  let [east, north] = first;
  for (const [lon, lat] of points) {
    west = Math.min(west, lon);
    east = Math.max(east, lon);
    south = Math.min(south, lat);
    north = Math.max(north, lat);
  }
  return [west, south, east, north];
}
