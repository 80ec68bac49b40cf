import type { Bounds, LonLat } from '../../map/shapes.ts';

/** The view of the Carpool tab's map: the plan, else the person, else the region. */
export function homeView(plan: Bounds | null, own: LonLat | null): { fit?: Bounds; center?: LonLat } {
  if (plan !== null) return { fit: plan };
  return own === null ? {} : { center: own };
}
