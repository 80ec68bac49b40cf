import { randomUUID } from 'node:crypto';
import { type Event, type EventFields, maxEventDays } from '#contract/events/endpoints.ts';
import { planAheadDays } from '#contract/units.ts';
import type { App } from '../../../app-type.ts';
import { dayMs, later } from '../../../platform/clock.ts';
import type { Db } from '../../../platform/database/db.ts';
import { refuseField } from '../../../platform/refusal.ts';
import { regionIdAt, locatePlace, timeZoneAt } from '../../geo/service.ts';
import { travellersTo } from '../../orders/events/queries.ts';
import { removePictures, takePictures } from '../../pictures/service.ts';
import { lockOwn, viewById } from './read-events.ts';
import { instantAt } from './rules/times.ts';
import * as store from './store.ts';

/** Announces an event. Refuses invalid input by its field. */
export async function announceEvent(app: App, organizerId: string, fields: EventFields): Promise<Event> {
  const { clock, transact } = app;
  const columns = checkFields(app, fields);
  checkAhead(app, columns);
  const id = randomUUID();
  const regionId = regionIdAt(app, { lon: columns.atLon, lat: columns.atLat });
  await transact('announce event', async (tx) => {
    const pictureId = fields.picture == null ? null : await takePicture(app, tx, organizerId, fields.picture);
    await store.insertEvent(tx, {
      id,
      organizerId,
      ...columns,
      regionId,
      pictureId,
      createdAt: clock.now(),
    });
  });
  return viewById(app, id, organizerId);
}

/**
 * Changes the organizer's own event; notifies its travelers of a new time or place. Refuses `event.notFound`,
 * `event.over`, and invalid input by its field.
 */
export async function changeEvent(
  app: App,
  organizerId: string,
  id: string,
  fields: EventFields,
): Promise<Event> {
  const { clock, transact } = app;
  const columns = checkFields(app, fields);
  await transact('change event', async (tx) => {
    const before = await lockOwn(app, tx, id, organizerId);
    // An event under way may change, except for its start.
    if (columns.startsAt.getTime() !== before.startsAt.getTime()) checkAhead(app, columns);
    else if (columns.endsAt <= clock.now())
      throw refuseField('event.timePast', 'ends', 'Please select an end in the future.');
    const pictureId = await pictureAfter(app, tx, before, fields.picture);
    await store.updateEvent(tx, id, { ...columns, pictureId });
    if (before.pictureId !== null && before.pictureId !== pictureId)
      await removePictures(tx, [before.pictureId]);
    const isMoved =
      columns.startsAt.getTime() !== before.startsAt.getTime() ||
      columns.endsAt.getTime() !== before.endsAt.getTime() ||
      columns.atLon !== before.atLon ||
      columns.atLat !== before.atLat;
    await emitChange(app, tx, before, isMoved ? 'moved' : 'details');
  });
  return viewById(app, id, organizerId);
}

/**
 * Cancels an event; notifies its travelers, who decide about their own orders. Refuses `event.notFound`,
 * `event.over`.
 */
export async function cancelEvent(app: App, organizerId: string, id: string): Promise<Event> {
  const { clock, transact } = app;
  await transact('cancel event', async (tx) => {
    const event = await lockOwn(app, tx, id, organizerId);
    await store.updateEvent(tx, id, { canceledAt: clock.now() });
    await emitChange(app, tx, event, 'canceled');
  });
  return viewById(app, id, organizerId);
}

/** The picture of an event after a change: undefined keeps it, null removes it. */
async function pictureAfter(
  app: App,
  tx: Db,
  before: store.EventColumns,
  picture: EventFields['picture'],
): Promise<string | null> {
  if (picture === undefined || picture === before.pictureId) return before.pictureId;
  return picture === null ? null : takePicture(app, tx, before.organizerId, picture);
}

async function takePicture(app: App, tx: Db, ownerId: string, id: string): Promise<string> {
  const [taken] = await takePictures(app, tx, {
    ownerId,
    purpose: 'event',
    ids: [id],
    field: 'picture',
  });
  return taken!.id;
}

async function emitChange(
  { outbox }: App,
  tx: Db,
  { id: eventId, organizerId }: store.EventColumns,
  what: 'moved' | 'details' | 'canceled',
): Promise<void> {
  const travellers = await travellersTo(tx, eventId);
  await outbox.emit(tx, 'event.changed', { eventId, organizerId, travellers, what }, eventId);
}

/**
 * Checks the input and converts it to columns: the place must be near a road, times are local to it. Refuses
 * by the field.
 */
function checkFields(app: App, fields: EventFields) {
  locatePlace(app, fields.place, 'place');
  const { name: atName, detail: atDetail, lon: atLon, lat: atLat } = fields.place;
  const timeZone = timeZoneAt(atLon, atLat);
  const timeOf = (local: string, field: string): Date => {
    const at = instantAt(local, timeZone);
    if (at === null) throw refuseField('event.timeWrong', field, 'Please select a date and time.');
    return at;
  };
  const [startsAt, endsAt] = [timeOf(fields.starts, 'starts'), timeOf(fields.ends, 'ends')];
  if (endsAt <= startsAt)
    throw refuseField('event.endsFirst', 'ends', 'Please select an end after the start.');
  if (endsAt > later(startsAt, maxEventDays * dayMs))
    throw refuseField('event.tooLong', 'ends', `An event can last up to ${maxEventDays} days.`);
  const { name, description, visibility, expectedPeople } = fields;
  const what = { name, description, visibility, expectedPeople };
  return { ...what, atName, atDetail, atLon, atLat, timeZone, startsAt, endsAt };
}

/** Refuses an event that does not start in the future, or ends later than people can plan for. */
function checkAhead({ clock }: App, times: { startsAt: Date; endsAt: Date }): void {
  const now = clock.now();
  if (times.startsAt <= now)
    throw refuseField('event.timePast', 'starts', 'Please select a start in the future.');
  // The drive home must be within the same planning limit.
  if (times.endsAt > later(now, planAheadDays * dayMs))
    throw refuseField(
      'event.timeTooFar',
      'ends',
      `Please select a time within the next ${planAheadDays} days.`,
    );
}
