import type { App } from '../../app-type.ts';
import { listenForWebhooks } from './webhooks/listeners.ts';

export const listenForConnect = (platform: App): void => listenForWebhooks(platform);
