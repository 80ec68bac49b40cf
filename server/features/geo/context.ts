import type { Platform } from '../../platform/platform.ts';
import type { Geocoder } from './geocoder.ts';
import type { LoadedRegion } from './region.ts';
import type { OrderDirectory } from './order-directory.ts';

/** What the commands of this feature use. */
export interface GeoContext {
  platform: Platform;
  region: LoadedRegion;
  orders: OrderDirectory;
  /** A hosted geocoder; null where none is configured. */
  geocoder: Geocoder | null;
}
