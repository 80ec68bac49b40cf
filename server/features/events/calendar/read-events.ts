import type { Event, EventDetail } from '#contract/events/endpoints.ts';
import type { App } from '../../../app-type.ts';
import { refuseField } from '../../../platform/refusal.ts';
import { eventNotFound, maySee, tokenOf, viewEvents, visibleEvent, shortPathOf } from './find-event.ts';
import * as store from './store.ts';

const pageSize = 50;

/**
 * Events that have not ended and whose name or place contains the text: public ones, soonest or nearest
 * first, or those a person organizes or travels to. Refuses `event.whereMissing`.
 */
export async function listEvents(
  app: App,
  viewerId: string | null,
  query: {
    text: string;
    scope: 'soon' | 'near' | 'mine';
    lon?: number | undefined;
    lat?: number | undefined;
    offset: number;
  },
): Promise<{ events: Event[]; total: number }> {
  const { db, clock } = app;
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
  return { events: await viewEvents(app, rows, viewerId), total };
}

/** One event, also when it is over. Refuses `event.notFound`, also where this person may not see it. */
export async function eventDetail(
  app: App,
  id: string,
  viewerId: string | null,
  token: string,
): Promise<EventDetail> {
  const row = await visibleEvent(app, id, viewerId, token);
  const [event] = await viewEvents(app, [row], viewerId);
  if (event === undefined) throw eventNotFound();
  const link = await shortPathOf(app, row);
  return { ...event, token: row.visibility === 'public' ? '' : await tokenOf(app, id), link };
}

/** An event as a guest with its link sees it; null where it does not exist. */
export async function eventBehindLink(app: App, id: string, token: string): Promise<EventDetail | null> {
  if (!/^[0-9a-f]{8}-[0-9a-f-]{27}$/i.test(id)) return null;
  const row = await store.findEvent(app.db, id, null);
  if (row === null || !(await maySee(app, row, null, token))) return null;
  const [event] = await viewEvents(app, [row], null);
  return event === undefined ? null : { ...event, token, link: await shortPathOf(app, row) };
}

/** The row of the organizer's own event. Refuses `event.notFound`. */
export async function ownEvent(app: App, id: string, organizerId: string): Promise<store.EventColumns> {
  const row = await store.findEvent(app.db, id, organizerId);
  if (row === null || row.organizerId !== organizerId) throw eventNotFound();
  return row;
}

/** One page of the public events to come, by id, and how many there are: for search engines. */
export const listPublicIds = ({ db, clock }: App, page: { offset: number; limit: number }) =>
  store.publicEventIds(db, { now: clock.now(), ...page });
