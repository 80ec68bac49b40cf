import type { App } from '../../app-type.ts';
import { pathBehindShortCode as pathOfEvent } from '../events/service.ts';
import { pathBehindShortCode as pathOfOrder } from '../orders/service.ts';
import { countLookUp } from './preview-of-thing.ts';

/** Where a short link leads: of an event (`e`) or of a ride or request (`r`); null for none. */
export async function pathBehindShortLink(
  app: App,
  kind: 'e' | 'r',
  code: string,
  network: string,
): Promise<string | null> {
  countLookUp(app, 'short link', network);
  return kind === 'e' ? pathOfEvent(app, code) : pathOfOrder(app, code);
}
