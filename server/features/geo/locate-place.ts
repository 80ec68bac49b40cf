import type { LonLat } from '#roads/graph/geometry.ts';
import type { RoadPoint } from '#roads/graph/network.ts';
import { refuseField } from '../../platform/refusal.ts';
import type { GeoContext } from './context.ts';

/**
 * The road point of a place. Refuses `place.noRoadNear` where no road leads and `place.tooFar` beyond 500
 * miles from the region.
 * @param field the field of the call that named it.
 */
export function locatePlace({ region }: GeoContext, at: LonLat, field: string): RoadPoint {
  const point = region.network.snapOrReason(at);
  if (!('refused' in point)) return point;
  throw point.refused === 'noRoadNear'
    ? refuseField('place.noRoadNear', field, 'No road leads there.')
    : refuseField('place.tooFar', field, 'This place is more than 500 miles from the area Sameway covers.');
}
