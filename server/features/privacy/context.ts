import type { App } from '../../app-type.ts';

/** What the commands about privacy use. */
export interface PrivacyContext {
  platform: App;
}
