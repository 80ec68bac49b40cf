import type { App } from '../../app-type.ts';
import type { LonLat } from '#roads/graph/geometry.ts';
import type { RoadPoint } from '#roads/graph/network.ts';
import type { Geocoder } from './geocoder.ts';
import type { LoadedRegion } from './region.ts';
import type { OrderDirectory } from './order-directory.ts';

/** What the commands of this feature use. */
export interface GeoContext {
  platform: App;
  region: LoadedRegion;
  /** As `region.network.snap`; the latest are kept. */
  pointAt(at: LonLat): RoadPoint | null;
  orders: OrderDirectory;
  /** A hosted geocoder; null where none is configured. */
  geocoder: Geocoder | null;
}
