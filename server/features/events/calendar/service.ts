import { randomUUID, timingSafeEqual } from 'node:crypto';
import { maxEventDays, type Event, type EventDetail, type EventFields } from '#contract/events/endpoints.ts';
import { planAheadDays } from '#contract/units.ts';
import type { Platform } from '../../../platform/platform.ts';
import { dayMs, later } from '../../../platform/clock.ts';
import type { Db } from '../../../platform/database/db.ts';
import { movedOn, notFound, refuseField } from '../../../platform/refusal.ts';
import type { GeoService } from '../../geo/service.ts';
import type { IdentityService } from '../../identity/service.ts';
import type { PicturesService } from '../../pictures/service.ts';
import { maySeeEvent } from './policy.ts';
import { instantAt } from './rules/times.ts';
import { travellersTo } from '../../orders/events/queries.ts';
import * as store from './store.ts';
import { viewEvent } from './view.ts';

export type EventCalendar = ReturnType<typeof createEventCalendar>;
export type EventRow = store.EventColumns;

const pageSize = 50;

/** Happenings that people drive to together. */
export function createEventCalendar(
  { db, transact, clock, outbox, signedTokens }: Platform,
  features: { geo: GeoService; identity: IdentityService; pictures: PicturesService },
) {
  const { geo, identity, pictures } = features;
  const missing = () => notFound('event.notFound', 'This event could not be found.');

  const tokenOf = (id: string) => signedTokens.derive('event', id);

  async function opens(id: string, token: string): Promise<boolean> {
    if (token === '') return false;
    const [given, right] = [Buffer.from(token), Buffer.from(await tokenOf(id))];
    return given.length === right.length && timingSafeEqual(given, right);
  }

  async function views(rows: readonly store.EventRow[], viewerId: string | null): Promise<Event[]> {
    const [people, addresses] = await Promise.all([
      identity.people([...new Set(rows.map((row) => row.organiserId))]),
      pictures.publicAddresses(rows.flatMap((row) => row.pictureId ?? [])),
    ]);
    return rows.flatMap((row) => {
      const organiser = people.get(row.organiserId);
      const picture = row.pictureId === null ? '' : (addresses.get(row.pictureId) ?? '');
      return organiser === undefined ? [] : [viewEvent(row, { viewerId, organiser, picture })];
    });
  }

  async function seen(id: string, viewerId: string | null, token: string): Promise<store.EventRow> {
    const row = await store.findEvent(db, id, viewerId);
    if (row === null || !maySeeEvent(row, viewerId, await opens(id, token))) throw missing();
    return row;
  }

  async function view(id: string, viewerId: string): Promise<Event> {
    const [event] = await views([await seen(id, viewerId, '')], viewerId);
    if (event === undefined) throw missing();
    return event;
  }

  /** What was entered, checked: the place by the roads, the times by the clocks of the place. */
  function sound(fields: EventFields) {
    geo.locate(fields.place, 'place');
    const { name: atName, detail: atDetail, lon: atLon, lat: atLat } = fields.place;
    const timeZone = geo.timeZoneAt(atLon, atLat);
    const timeOf = (local: string, field: string): Date => {
      const at = instantAt(local, timeZone);
      if (at === null) throw refuseField('event.timeWrong', field, 'Please select a date and time.');
      return at;
    };
    const [startsAt, endsAt] = [timeOf(fields.starts, 'starts'), timeOf(fields.ends, 'ends')];
    if (endsAt <= startsAt)
      throw refuseField('event.endsFirst', 'ends', 'Please select an end after the start.');
    if (endsAt > later(startsAt, maxEventDays * dayMs))
      throw refuseField('event.tooLong', 'ends', `An event lasts at most ${maxEventDays} days.`);
    const { name, description, visibility, expectedPeople } = fields;
    const what = { name, description, visibility, expectedPeople };
    return { ...what, atName, atDetail, atLon, atLat, timeZone, startsAt, endsAt };
  }

  function checkAhead(times: { startsAt: Date; endsAt: Date }): void {
    const now = clock.now();
    if (times.startsAt <= now)
      throw refuseField('event.timePast', 'starts', 'Please select a start in the future.');
    // The way home is planned within the same days.
    if (times.endsAt > later(now, planAheadDays * dayMs))
      throw refuseField(
        'event.timeTooFar',
        'ends',
        `Please select a time within the next ${planAheadDays} days.`,
      );
  }

  async function takePicture(tx: Db, ownerId: string, id: string): Promise<string> {
    const [taken] = await pictures.take(tx, { ownerId, purpose: 'event', ids: [id], field: 'picture' });
    return taken!.id;
  }

  /** The organizer's own event, held. Refuses `event.notFound`, and `event.over` once it has ended or was called off. */
  async function lockOwn(tx: Db, id: string, organiserId: string): Promise<store.EventColumns> {
    const row = await store.lockEvent(tx, id);
    if (row === null || row.organiserId !== organiserId) throw missing();
    checkStands(row);
    return row;
  }

  function checkStands(row: Pick<store.EventColumns, 'cancelledAt' | 'endsAt'>): void {
    if (row.cancelledAt !== null || row.endsAt <= clock.now())
      throw movedOn('event.over', 'This event is over or was called off.');
  }

  async function tell(
    tx: Db,
    { id: eventId, organiserId }: store.EventColumns,
    what: 'moved' | 'details' | 'cancelled',
  ): Promise<void> {
    const travellers = await travellersTo(tx, eventId);
    await outbox.emit(tx, 'event.changed', { eventId, organiserId, travellers, what }, eventId);
  }

  return {
    /** Keeps events with a past, as they are given: the demo community. */
    importEvents: (rows: Parameters<typeof store.insertEvents>[1]) => store.insertEvents(db, rows),

    /**
     * Events that have not ended and whose name or place holds the text: those everybody may find, soonest or nearest
     * first, or those a person organises or travels to. Refuses `event.whereMissing`.
     */
    async list(
      viewerId: string | null,
      query: {
        text: string;
        scope: 'soon' | 'near' | 'mine';
        lon?: number | undefined;
        lat?: number | undefined;
        offset: number;
      },
    ): Promise<{ events: Event[]; total: number }> {
      const { text, scope, lon, lat, offset } = query;
      if (scope === 'mine' && viewerId === null) return { events: [], total: 0 };
      if (scope === 'near' && (lon === undefined || lat === undefined))
        throw refuseField('event.whereMissing', lon === undefined ? 'lon' : 'lat', 'Please say near what.');
      const { rows, total } = await store.eventsToCome(db, viewerId, {
        text,
        of: scope === 'mine' ? { personId: viewerId! } : 'public',
        near: scope === 'near' ? { lon: lon!, lat: lat! } : null,
        now: clock.now(),
        offset,
        limit: pageSize,
      });
      return { events: await views(rows, viewerId), total };
    },

    /** One event, also when it is over. Refuses `event.notFound`, also where it is not for this person to see. */
    async detail(id: string, viewerId: string | null, token: string): Promise<EventDetail> {
      const row = await seen(id, viewerId, token);
      const [event] = await views([row], viewerId);
      if (event === undefined) throw missing();
      return { ...event, token: row.visibility === 'public' ? '' : await tokenOf(id) };
    },

    /** An event as anybody sees it who follows its link; null where there is none. */
    async shown(id: string, token: string): Promise<EventDetail | null> {
      if (!/^[0-9a-f]{8}-[0-9a-f-]{27}$/i.test(id)) return null;
      const row = await store.findEvent(db, id, null);
      if (row === null || !maySeeEvent(row, null, await opens(id, token))) return null;
      const [event] = await views([row], null);
      return event === undefined ? null : { ...event, token };
    },
    now: () => clock.now(),

    /** The row of an event of one's own. Refuses `event.notFound`. */
    async ownById(id: string, organiserId: string): Promise<store.EventColumns> {
      const row = await store.findEvent(db, id, organiserId);
      if (row === null || row.organiserId !== organiserId) throw missing();
      return row;
    },

    /** The row of an event that this person may see. Refuses `event.notFound`. */
    seen,
    /** Refuses `event.over` where nobody can travel to it any more. */
    checkStands,
    lockOwn,
    lock: store.lockEvent,
    update: store.updateEvent,
    byId: (id: string) => store.findEvent(db, id, null),

    async create(organiserId: string, fields: EventFields): Promise<Event> {
      const columns = sound(fields);
      checkAhead(columns);
      const id = randomUUID();
      await transact(async (tx) => {
        const pictureId = fields.picture == null ? null : await takePicture(tx, organiserId, fields.picture);
        await store.insertEvent(tx, { id, organiserId, ...columns, pictureId, createdAt: clock.now() });
      });
      return view(id, organiserId);
    },

    /** Changes an event of one's own; who travels to it hears of a new time or place. */
    async change(organiserId: string, id: string, fields: EventFields): Promise<Event> {
      const columns = sound(fields);
      await transact(async (tx) => {
        const before = await lockOwn(tx, id, organiserId);
        // An event under way keeps its start; whatever else of it may change.
        if (columns.startsAt.getTime() !== before.startsAt.getTime()) checkAhead(columns);
        else if (columns.endsAt <= clock.now())
          throw refuseField('event.timePast', 'ends', 'Please select an end in the future.');
        const { picture } = fields;
        const pictureId =
          picture === undefined || picture === before.pictureId
            ? before.pictureId
            : picture === null
              ? null
              : await takePicture(tx, organiserId, picture);
        await store.updateEvent(tx, id, { ...columns, pictureId });
        if (before.pictureId !== null && before.pictureId !== pictureId)
          await pictures.remove(tx, [before.pictureId]);
        const isMoved =
          columns.startsAt.getTime() !== before.startsAt.getTime() ||
          columns.endsAt.getTime() !== before.endsAt.getTime() ||
          columns.atLon !== before.atLon ||
          columns.atLat !== before.atLat;
        await tell(tx, before, isMoved ? 'moved' : 'details');
      });
      return view(id, organiserId);
    },

    /** Calls an event off; who travels to it hears of it, and decides about their own orders. */
    async cancel(organiserId: string, id: string): Promise<Event> {
      await transact(async (tx) => {
        const event = await lockOwn(tx, id, organiserId);
        await store.updateEvent(tx, id, { cancelledAt: clock.now() });
        await tell(tx, event, 'cancelled');
      });
      return view(id, organiserId);
    },

    /** Names by id, as far as this person may know of the events; others are left out. */
    eventNames: (ids: readonly string[], viewerId: string | null): Promise<Map<string, string>> =>
      store.eventNames(db, ids, viewerId),

    /** Whether there is such an event for this person to travel to. */
    exists: async (id: string, personId: string): Promise<boolean> =>
      (await store.eventNames(db, [id], personId)).has(id),
  };
}
