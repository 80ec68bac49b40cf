import type { Platform } from '../../../platform/platform.ts';
import type { IdentityService } from '../../identity/service.ts';
import type { CardProvider } from './card-provider.ts';

/** What commands about people's cards and accounts at the provider work with. */
export interface ProviderContext {
  platform: Platform;
  provider: CardProvider;
  identity: IdentityService;
}
