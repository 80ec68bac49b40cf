import type { App } from '../../app-type.ts';
import { listenForSuspensions } from './admin/listeners.ts';
import { listenForStrikes } from './strikes/listeners.ts';

export function listenForModeration(app: App): void {
  listenForSuspensions(app);
  listenForStrikes(app);
}
