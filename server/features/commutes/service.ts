import { catchUp } from './commute-index.ts';
import { listCommuters } from './commuters.ts';
import { LatestKept } from '../../platform/latest-kept.ts';
import type { Platform } from '../../platform/platform.ts';
import type { CommutesContext } from './context.ts';
import { listPopularCommutes } from './popular-commutes.ts';
import * as store from './store.ts';

/** The process keeps the drives of so many commutes, and of as many before them. */
const drivesKept = 1000;

export type CommutesService = ReturnType<typeof createCommutes>;

/** Discovery without a search: popular commutes, people with similar commutes, orders of contacts. */
export function createCommutes(platform: Platform, features: Omit<CommutesContext, 'platform' | 'drives'>) {
  const context: CommutesContext = { platform, ...features, drives: new LatestKept(drivesKept) };
  return {
    erasure: store.erasure,
    catchUp: () => catchUp(context),
    popular: listPopularCommutes.bind(null, context),
    commuters: listCommuters.bind(null, context),
    /** Open orders of a person's contacts that they may see, soonest first. */
    ordersOfContacts: features.rides.ofContacts,
  };
}
