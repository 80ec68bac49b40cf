import {
  cancelEvent,
  createEvent,
  eventDetail,
  listEvents,
  updateEvent,
} from '#contract/events/endpoints.ts';
import type { Serve } from '../../base/http.ts';
import type { EventsService } from './service.ts';

export function serveEvents(serve: Serve, events: EventsService): void {
  serve(listEvents, (input, caller) => events.list(caller?.userId ?? null, input));
  serve(eventDetail, ({ id, token }, caller) => events.detail(id, caller?.userId ?? null, token));
  serve(createEvent, (input, caller) => events.create(caller.userId, input));
  serve(updateEvent, ({ id, ...fields }, caller) => events.change(caller.userId, id, fields));
  serve(cancelEvent, ({ id }, caller) => events.cancel(caller.userId, id));
}
