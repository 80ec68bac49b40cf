import type { App } from '../../app-type.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/db.ts';
import type { Assigner } from './assignment/client.ts';
import type { SpotsNear } from './meeting-points.ts';
import type { RoadTimes } from './road-times.ts';
import type { SearchIndex } from './search-index.ts';
import type { OrderDirectory } from './store.ts';

/** What the commands of this feature depend on. */
export interface MatchingContext {
  platform: App;
  db: Db;
  clock: Clock;
  orders: OrderDirectory;
  roads: RoadTimes;
  spotsNear: SpotsNear;
  index: SearchIndex;
  assigner: Assigner;
}
