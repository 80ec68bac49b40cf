import type { Language } from '#contract/formats/intl.ts';
import { minuteSeconds } from '#contract/define.ts';
import type { App } from '../../app-type.ts';
import { Refusal } from '../../platform/refusal.ts';
import { eventBehindLink } from '../events/service.ts';
import { viewPublicOrder, viewLinkedOrder } from '../orders/service.ts';
import { previewOfEvent } from './event-preview.ts';
import { previewOfOrder } from './order-preview.ts';
import { withQuery, type Preview } from './preview.ts';

/**
 * The things that an address may name: an event, a ride or request of everyone by its id, or one behind a
 * link.
 */
export type Thing =
  | { kind: 'event'; id: string; token: string }
  | { kind: 'order'; id: string }
  | { kind: 'link'; code: string };

/** Limit of reads by one network, for pages, pictures and short links each. */
const lookUps = { per: 'network', most: 120, withinSeconds: minuteSeconds } as const;

/** Counts what has something looked up for it. Refuses `rate.limited`. */
export function countLookUp(app: App, of: 'page' | 'picture' | 'short link', address: string): void {
  app.previews.limits.countInProcess({ path: `preview ${of}`, limits: [lookUps], userId: null, address });
}

/** A thing's description for strangers; null where there is none, or none for them. */
export async function previewOfThing(app: App, thing: Thing, language: Language): Promise<Preview | null> {
  if (thing.kind === 'event') {
    const event = await eventBehindLink(app, thing.id, thing.token);
    return event === null
      ? null
      : previewOfEvent(event, { language, now: app.clock.now(), publicUrl: app.env.publicUrl });
  }
  if (thing.kind === 'order') {
    const { id } = thing;
    const order = await viewPublicOrder(app, id);
    const at = { path: withQuery('/pages/order/detail', { id }), picturePath: `/preview/order/${id}.png` };
    return order === null ? null : previewOfOrder(order, at, language);
  }
  const { code } = thing;
  const order = await unlessMissing(viewLinkedOrder(app, code));
  const at = { path: withQuery('/pages/order/linked', { code }), picturePath: `/preview/link/${code}.png` };
  return order === null ? null : previewOfOrder(order, at, language);
}

async function unlessMissing<T>(found: Promise<T>): Promise<T | null> {
  try {
    return await found;
  } catch (error) {
    if (error instanceof Refusal && error.code === 404) return null;
    throw error;
  }
}
