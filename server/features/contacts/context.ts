import type { App } from '../../app-type.ts';

/** What the commands of this feature use. */
export interface ContactsContext {
  platform: App;
}
