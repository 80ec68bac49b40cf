import { useConfig } from '../../core/config.ts';
import type { Bounds, LonLat } from '../../map/shapes.ts';

/**
 * Where the map of the Carpool tab looks: at the plan, else at the person, else at the region: of several
 * packs the first.
 */
export function useHomeView(plan: Bounds | null, own: LonLat | null): { fit?: Bounds; center?: LonLat } {
  const { data: config } = useConfig();
  if (plan !== null) return { fit: plan };
  if (own !== null) return { center: own };
  return config ? { fit: config.region.packs[0]?.bounds ?? config.region.bounds } : {};
}
