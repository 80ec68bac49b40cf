import type { App } from '../../../app-type.ts';
import type { CardProvider } from './card-provider.ts';

/** What commands about people's cards and accounts at the provider work with. */
export interface ProviderContext {
  platform: App;
  provider: CardProvider;
}
