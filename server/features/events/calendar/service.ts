import type { App } from '../../../app-type.ts';
import { announceEvent, cancelEvent, changeEvent } from './announce-event.ts';
import { checkStands, lockOwn, visibleEvent, type EventContext } from './context.ts';
import { eventBehindLink, eventDetail, listEvents, ownEvent } from './read-events.ts';
import { pathBehindShortCode } from './short-link.ts';
import * as store from './store.ts';

export type EventCalendar = ReturnType<typeof createEventCalendar>;
export type EventRow = store.EventColumns;

/** Events that people drive to together. */
export function createEventCalendar(platform: App) {
  const context: EventContext = { platform };
  const { db, clock } = platform;
  return {
    /** Inserts events as given, with past dates: for the demo community. */
    importEvents: (rows: Parameters<typeof store.insertEvents>[1]) => store.insertEvents(db, rows),
    list: listEvents.bind(null, context),
    detail: eventDetail.bind(null, context),
    shown: eventBehindLink.bind(null, context),
    /** One page of the public events to come, by id, and how many there are: for search engines. */
    publicIds: (page: { offset: number; limit: number }) =>
      store.publicEventIds(db, { now: clock.now(), ...page }),
    now: () => clock.now(),
    ownById: ownEvent.bind(null, context),
    pathBehindShortCode: pathBehindShortCode.bind(null, context),
    seen: visibleEvent.bind(null, context),
    checkStands: (row: Parameters<typeof checkStands>[1]): void => checkStands(context, row),
    lockOwn: lockOwn.bind(null, context),
    lock: store.lockEvent,
    update: store.updateEvent,
    byId: (id: string) => store.findEvent(db, id, null),
    create: announceEvent.bind(null, context),
    change: changeEvent.bind(null, context),
    cancel: cancelEvent.bind(null, context),

    /** Names by id, of the events that this person may see; leaves out others. */
    eventNames: (ids: readonly string[], viewerId: string | null): Promise<Map<string, string>> =>
      store.eventNames(db, ids, viewerId),

    /** Whether the event exists and this person may travel to it. */
    exists: async (id: string, personId: string): Promise<boolean> =>
      (await store.eventNames(db, [id], personId)).has(id),
  };
}
