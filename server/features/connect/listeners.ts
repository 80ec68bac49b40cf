import type { App } from '../../app-type.ts';
import { listenForWebhooks } from './webhooks/listeners.ts';

export const listenForConnect = (app: App): void => listenForWebhooks(app);
