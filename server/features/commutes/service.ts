import { LRUCache } from 'lru-cache';
import type { App } from '../../app-type.ts';
import { openOrdersOfContacts } from '../orders/service.ts';
import { catchUp } from './commute-index.ts';
import { listCommuters } from './commuters.ts';
import type { CommuteDrive, CommutesContext } from './context.ts';
import { listPopularCommutes } from './popular-commutes.ts';
import * as store from './store.ts';

const mostDrives = 2000;

export type CommutesService = ReturnType<typeof createCommutes>;

/** Discovery without a search: popular commutes, people with similar commutes, orders of contacts. */
export function createCommutes(platform: App) {
  const drives = new LRUCache<string, CommuteDrive | 'none'>({ max: mostDrives });
  const context: CommutesContext = { platform, drives };
  return {
    erasure: store.erasure,
    catchUp: () => catchUp(context),
    popular: listPopularCommutes.bind(null, context),
    commuters: listCommuters.bind(null, context),
    /** Open orders of a person's contacts that they may see, soonest first. */
    ordersOfContacts: openOrdersOfContacts.bind(null, platform),
  };
}
