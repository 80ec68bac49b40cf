import type { App } from '../../app-type.ts';
import { listenForSuspensions } from './admin/listeners.ts';
import type { ModerationService } from './service.ts';
import { listenForStrikes } from './strikes/listeners.ts';

export function listenForModeration(platform: App, { admin, strikes }: ModerationService): void {
  listenForSuspensions(platform, admin);
  listenForStrikes(platform, strikes);
}
