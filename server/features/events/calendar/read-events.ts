import type { Event, EventDetail } from '#contract/events/endpoints.ts';
import type { Person } from '#contract/user/endpoints.ts';
import type { App } from '../../../app-type.ts';
import type { Db } from '../../../platform/database/db.ts';
import { refuseField, movedOn, notFound } from '../../../platform/refusal.ts';
import { hashSecret } from '../../../platform/security/session.ts';
import { readShortCode, shortCodeOf } from '../../../platform/security/short-code.ts';
import { peopleByIds } from '../../identity/service.ts';
import { publicAddresses } from '../../pictures/service.ts';
import * as store from './store.ts';
import type { EventRow } from './store.ts';

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

const eventNotFound = () => notFound('event.notFound', 'We couldn’t find this event.');

const tokenPurpose = 'event';

/** The token in the link to an event that is not public. */
const tokenOf = (app: App, id: string): Promise<string> => app.signedTokens.derive(tokenPurpose, id);

/** Checks who sees an event: all people a public one; organizer, travelers and holders of its link any. */
async function maySee(
  app: App,
  row: store.EventRow,
  viewerId: string | null,
  token: string,
): Promise<boolean> {
  if (row.visibility === 'public') return true;
  if (viewerId !== null && (row.organizerId === viewerId || row.travelled)) return true;
  return token !== '' && app.signedTokens.isDerived(tokenPurpose, row.id, token);
}

/** An event by its id, also one that the caller may not show; null where there is none. */
export const eventById = ({ db }: App, id: string): Promise<store.EventRow | null> =>
  store.findEvent(db, id, null);

/** True where the event exists and this person may travel to it. */
export const canTravelTo = async ({ db }: App, id: string, personId: string): Promise<boolean> =>
  (await store.eventNames(db, [id], personId)).has(id);

/** The row of an event that this person may see. Refuses `event.notFound`. */
export async function visibleEvent(
  app: App,
  id: string,
  viewerId: string | null,
  token: string,
): Promise<store.EventRow> {
  const row = await store.findEvent(app.db, id, viewerId);
  if (row === null || !(await maySee(app, row, viewerId, token))) throw eventNotFound();
  return row;
}

/** Events as the viewer sees them; leaves out those whose organizer's account is gone. */
async function viewEvents(
  app: App,
  rows: readonly store.EventRow[],
  viewerId: string | null,
): Promise<Event[]> {
  const [people, addresses] = await Promise.all([
    peopleByIds(app, [...new Set(rows.map((row) => row.organizerId))]),
    publicAddresses(
      app,
      rows.flatMap((row) => row.pictureId ?? []),
    ),
  ]);
  return rows.flatMap((row) => {
    const organizer = people.get(row.organizerId);
    const picture = row.pictureId === null ? '' : (addresses.get(row.pictureId) ?? '');
    return organizer === undefined ? [] : [viewEvent(row, { viewerId, organizer, picture })];
  });
}

/** One event by its id, for a person who needs no token. Refuses `event.notFound`. */
export async function viewById(app: App, id: string, viewerId: string): Promise<Event> {
  const [event] = await viewEvents(app, [await visibleEvent(app, id, viewerId, '')], viewerId);
  if (event === undefined) throw eventNotFound();
  return event;
}

/**
 * The organizer's own event, locked. Refuses `event.notFound`, and `event.over` once it has ended or was
 * canceled.
 */
export async function lockOwn(
  app: App,
  tx: Db,
  id: string,
  organizerId: string,
): Promise<store.EventColumns> {
  const row = await store.lockEvent(tx, id);
  if (row === null || row.organizerId !== organizerId) throw eventNotFound();
  checkStands(app, row);
  return row;
}

/** Refuses `event.over` once people can no longer travel to an event. */
export function checkStands({ clock }: App, row: Pick<store.EventColumns, 'canceledAt' | 'endsAt'>): void {
  if (row.canceledAt !== null || row.endsAt <= clock.now())
    throw movedOn('event.over', 'This event is over or canceled.');
}

const viewEvent = (
  row: EventRow,
  of: { viewerId: string | null; organizer: Person; picture: string },
): Event => ({
  id: row.id,
  name: row.name,
  description: row.description,
  place: { name: row.atName, detail: row.atDetail, lon: row.atLon, lat: row.atLat },
  startsAt: row.startsAt.toISOString(),
  endsAt: row.endsAt.toISOString(),
  timeZone: row.timeZone,
  picture: of.picture,
  visibility: row.visibility,
  expectedPeople: row.expectedPeople,
  canceled: row.canceledAt !== null,
  organizer: of.organizer,
  mine: row.organizerId === of.viewerId,
  seatsOffered: row.seatsOffered,
  seatsNeeded: row.seatsNeeded,
  back: { seatsOffered: row.backOffered, seatsNeeded: row.backNeeded },
});

/**
 * The short path of an event's link, for posters and chats. Keeps the hash that finds the event by its code
 * when the path is first shown, and again after the event has become public or ceased to be.
 */
async function shortPathOf(
  app: App,
  event: Pick<store.EventColumns, 'id' | 'visibility' | 'shortHash'>,
): Promise<string> {
  const codes = await codesOf(app, event);
  // A path that has been shown stays, also after the key has been replaced.
  const shown = codes.find((each) => hashSecret(each) === event.shortHash);
  const code = shown ?? codes[0];
  if (shown === undefined) await store.updateEvent(app.db, event.id, { shortHash: hashSecret(code) });
  return `/e/${code}`;
}

/** The address of the event behind a short code, with the secret of one that is not public; null for none. */
export async function pathBehindShortCode(app: App, typed: string): Promise<string | null> {
  const code = readShortCode(typed);
  if (code === null) return null;
  const event = await store.eventByShortHash(app.db, hashSecret(code));
  // A code from before a public event became private opens it no more.
  if (event === null || !(await codesOf(app, event)).includes(code)) return null;
  const { id, visibility } = event;
  const query = new URLSearchParams({ id });
  if (visibility !== 'public') query.set('token', await tokenOf(app, id));
  return `/pages/events/events?${query.toString()}`;
}

async function codesOf(
  app: App,
  { id, visibility }: Pick<store.EventColumns, 'id' | 'visibility'>,
): Promise<[string, ...string[]]> {
  const [first, ...others] = await app.signedTokens.derivations(`short link of ${visibility} event`, id);
  return [shortCodeOf(first), ...others.map(shortCodeOf)];
}
