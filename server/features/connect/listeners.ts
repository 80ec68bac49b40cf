import type { Platform } from '../../platform/platform.ts';
import { listenForWebhooks } from './webhooks/listeners.ts';

export const listenForConnect = (platform: Platform): void => listenForWebhooks(platform);
