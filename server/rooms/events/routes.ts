import { eventDetail, listEvents } from '#contract/events/endpoints.ts';
import type { Serve } from '../../base/http.ts';
import type { EventsService } from './service.ts';

export function serveEvents(serve: Serve, events: EventsService): void {
  serve(listEvents, async ({ text }) => ({ events: await events.list(text) }));
  serve(eventDetail, ({ id }) => events.detail(id));
}
