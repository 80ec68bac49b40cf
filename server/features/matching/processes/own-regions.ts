import type { Env } from '../../../platform/env.ts';
import { regionNames } from '../../../platform/process-roles.ts';
import type { RegionPart } from '../../../platform/process-roles.ts';
import type { MatchingPorts } from '../ports.ts';

/**
 * The part of all orders that a process holds by `MATCHING_REGIONS`; null for all of them. The regions'
 * parts together are all orders, each in one of them: those of regions that `REGION` does not name any more
 * go with its first one.
 */
export function ownPart({
  REGION,
  MATCHING_REGIONS: own,
}: Pick<Env, 'REGION' | 'MATCHING_REGIONS'>): RegionPart | null {
  if (own.length === 0) return null;
  const all = regionNames(REGION);
  if (!own.includes(all[0]!)) return { isIn: true, names: own };
  return { isIn: false, names: all.filter((name) => !own.includes(name)) };
}

/** The open orders that a process holds. */
export function ordersOfRegions(
  orders: MatchingPorts,
  env: Pick<Env, 'REGION' | 'MATCHING_REGIONS'>,
): MatchingPorts {
  const part = ownPart(env);
  if (part === null) return orders;
  return {
    ...orders,
    openFromJson: (json) => orders.openFromJson(json, part),
    openRidesAfter: (db, id, most) => orders.openRidesAfter(db, id, most, part),
    openRequestsAfter: (db, id, most) => orders.openRequestsAfter(db, id, most, part),
  };
}
