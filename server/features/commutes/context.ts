import type { LatestKept } from '../../platform/latest-kept.ts';
import type { Platform } from '../../platform/platform.ts';
import type { ContactsService } from '../contacts/service.ts';
import type { GeoService } from '../geo/service.ts';
import type { IdentityService } from '../identity/service.ts';
import type { MatchingService } from '../matching/service.ts';
import type { OrdersService } from '../orders/service.ts';
import type { WayRow } from './store.ts';

/** A commute's drive on the roads. */
export type CommuteDrive = Pick<WayRow, 'driveMs' | 'corridor'>;

/** What the commands of this feature use. */
export interface CommutesContext {
  platform: Platform;
  /**
   * Drives by their ends, null where no road leads: a person's commutes are computed again with each order
   * that changes, and mostly are those of before.
   */
  drives: LatestKept<string, CommuteDrive | null>;
  geo: GeoService;
  identity: IdentityService;
  contacts: ContactsService;
  matching: MatchingService;
  rides: OrdersService;
}
