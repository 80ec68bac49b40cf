import type { Event, EventDetail } from '#contract/events/endpoints.ts';
import { refuseField } from '../../../platform/refusal.ts';
import { eventNotFound, maySee, tokenOf, viewEvents, visibleEvent, type EventContext } from './context.ts';
import { shortPathOf } from './short-link.ts';
import * as store from './store.ts';

const pageSize = 50;

/**
 * Events that have not ended and whose name or place contains the text: public ones, soonest or nearest
 * first, or those a person organizes or travels to. Refuses `event.whereMissing`.
 */
export async function listEvents(
  context: EventContext,
  viewerId: string | null,
  query: {
    text: string;
    scope: 'soon' | 'near' | 'mine';
    lon?: number | undefined;
    lat?: number | undefined;
    offset: number;
  },
): Promise<{ events: Event[]; total: number }> {
  const { db, clock } = context.platform;
  const { text, scope, lon, lat, offset } = query;
  if (scope === 'mine' && viewerId === null) return { events: [], total: 0 };
  if (scope === 'near' && (lon === undefined || lat === undefined))
    throw refuseField(
      'event.whereMissing',
      lon === undefined ? 'lon' : 'lat',
      'Please allow your location, or search instead.',
    );
  const { rows, total } = await store.eventsToCome(db, viewerId, {
    text,
    of: scope === 'mine' ? { personId: viewerId! } : 'public',
    near: scope === 'near' ? { lon: lon!, lat: lat! } : null,
    now: clock.now(),
    offset,
    limit: pageSize,
  });
  return { events: await viewEvents(context, rows, viewerId), total };
}

/** One event, also when it is over. Refuses `event.notFound`, also where this person may not see it. */
export async function eventDetail(
  context: EventContext,
  id: string,
  viewerId: string | null,
  token: string,
): Promise<EventDetail> {
  const row = await visibleEvent(context, id, viewerId, token);
  const [event] = await viewEvents(context, [row], viewerId);
  if (event === undefined) throw eventNotFound();
  const link = await shortPathOf(context, row);
  return { ...event, token: row.visibility === 'public' ? '' : await tokenOf(context, id), link };
}

/** An event as a guest with its link sees it; null where it does not exist. */
export async function eventBehindLink(
  context: EventContext,
  id: string,
  token: string,
): Promise<EventDetail | null> {
  if (!/^[0-9a-f]{8}-[0-9a-f-]{27}$/i.test(id)) return null;
  const row = await store.findEvent(context.platform.db, id, null);
  if (row === null || !(await maySee(context, row, null, token))) return null;
  const [event] = await viewEvents(context, [row], null);
  return event === undefined ? null : { ...event, token, link: await shortPathOf(context, row) };
}

/** The row of the organizer's own event. Refuses `event.notFound`. */
export async function ownEvent(
  { platform }: EventContext,
  id: string,
  organizerId: string,
): Promise<store.EventColumns> {
  const row = await store.findEvent(platform.db, id, organizerId);
  if (row === null || row.organizerId !== organizerId) throw eventNotFound();
  return row;
}
