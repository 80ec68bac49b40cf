import type { Bounds, LonLat } from '../../map/shapes.ts';

/** Where the map of the Carpool tab looks: at the plan, else at the person, else at the region. */
export function homeView(plan: Bounds | null, own: LonLat | null): { fit?: Bounds; center?: LonLat } {
  if (plan !== null) return { fit: plan };
  return own === null ? {} : { center: own };
}
