import type { Platform } from '../../platform/platform.ts';
import { listenForSuspensions } from './admin/listeners.ts';
import type { ModerationService } from './service.ts';
import { listenForStrikes } from './strikes/listeners.ts';

export function listenForModeration(platform: Platform, { admin, strikes }: ModerationService): void {
  listenForSuspensions(platform, admin);
  listenForStrikes(platform, strikes);
}
