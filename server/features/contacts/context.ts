import type { Platform } from '../../platform/platform.ts';
import type { IdentityService } from '../identity/service.ts';

/** What the commands of this feature use. */
export interface ContactsContext {
  platform: Platform;
  identity: IdentityService;
}
