import type { Platform } from '../../platform/platform.ts';
import type { ContactsService } from '../contacts/service.ts';
import type { GeoService } from '../geo/service.ts';
import type { IdentityService } from '../identity/service.ts';
import type { MatchingService } from '../matching/service.ts';
import type { OrdersService } from '../orders/service.ts';

/** What the commands of this feature use. */
export interface CommutesContext {
  platform: Platform;
  geo: GeoService;
  identity: IdentityService;
  contacts: ContactsService;
  matching: MatchingService;
  rides: OrdersService;
}
