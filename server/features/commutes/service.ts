import type { contactsOrders, popularWays } from '#contract/discover/endpoints.ts';
import type { OutputOf } from '#contract/define.ts';
import type { Platform } from '../../platform/platform.ts';
import type { ContactsService } from '../contacts/service.ts';
import { areaSpans, type GeoService } from '../geo/service.ts';
import type { IdentityService } from '../identity/service.ts';
import type { MatchingService } from '../matching/service.ts';
import type { OrdersService } from '../orders/service.ts';
import { createCommuters } from './commuters.ts';
import { createCommuteIndex } from './commute-index.ts';
import * as store from './store.ts';
import { viewCountedWay } from './view.ts';

export type CommutesService = ReturnType<typeof createCommutes>;

const pageSize = 20;
/** Ways that begin within about 25 kilometres of a point are around it. */
const aroundDegrees = { lon: 0.28, lat: 0.22 };

/** What there is to find without searching: ways that many travel, people on one's own, rides of contacts. */
export function createCommutes(
  platform: Platform,
  features: {
    geo: GeoService;
    identity: IdentityService;
    contacts: ContactsService;
    matching: MatchingService;
    rides: OrdersService;
  },
) {
  const { db, env } = platform;
  const { geo, rides } = features;
  const { catchUp } = createCommuteIndex(platform, geo, features.matching);
  const commuters = createCommuters(platform, features);
  return {
    erasure: store.erasure,
    catchUp,

    /** Ways from around a point that many travel, most people first. */
    async ways(
      at: { lon: number; lat: number },
      viewerId: string | null,
      offset: number,
    ): Promise<OutputOf<typeof popularWays>> {
      const fewest = env.DISCOVER_FEWEST_PEOPLE;
      const spans = areaSpans(at, aroundDegrees);
      const { rows, total } = await store.countedWays(db, {
        spans,
        fewest,
        viewerId,
        offset,
        limit: pageSize,
      });
      return { ways: rows.map((row) => viewCountedWay(row, geo)), total, fewest };
    },

    /** Somebody's weekly ways, and who else takes them. */
    people: (viewerId: string, offset: number) => commuters.of(viewerId, offset),

    /** Open orders of somebody's contacts that they may see, soonest first. */
    ordersOfContacts: (
      viewerId: string,
      query: { role?: 'driver' | 'passenger' | undefined; offset: number },
    ): Promise<OutputOf<typeof contactsOrders>> => rides.ofContacts(viewerId, query),
  };
}
