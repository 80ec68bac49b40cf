import type { Event } from '#contract/events/endpoints.ts';
import type { Base } from '../../base/base.ts';
import { notFound } from '../../base/refusal.ts';
import * as store from './store.ts';
import { viewEvent } from './view.ts';

export type EventsService = ReturnType<typeof createEvents>;

/** Happenings that people drive to together. */
export function createEvents({ db, clock }: Base) {
  return {
    /** Events that have not ended and whose name or place holds the text, the soonest first. */
    async list(text: string): Promise<Event[]> {
      return (await store.eventsToCome(db, text, clock.now())).map(viewEvent);
    },

    /** One event, also when it is over. Refuses `event.notFound`. */
    async detail(id: string): Promise<Event> {
      const row = await store.findEvent(db, id);
      if (row === null) throw notFound('event.notFound', 'This event could not be found.');
      return viewEvent(row);
    },

    /** Names by id; unknown ids are left out. */
    eventNames: (ids: readonly string[]): Promise<Map<string, string>> => store.eventNames(db, ids),

    async exists(id: string): Promise<boolean> {
      return (await store.eventNames(db, [id])).has(id);
    },
  };
}
