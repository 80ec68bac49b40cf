import type { FastifyInstance } from 'fastify';
import {
  cancelEvent,
  createEvent,
  eventDetail,
  listEvents,
  updateEvent,
} from '#contract/events/endpoints.ts';
import type { Serve } from '../../../platform/http/http-server.ts';
import { embedLanguage, embedPage, styleHash } from './embed.ts';
import type { EventCalendar } from './service.ts';

export function serveEventCalendar(
  { http, serve }: { http: FastifyInstance; serve: Serve },
  events: EventCalendar,
  publicUrl: string,
): void {
  serve(listEvents, (input, caller) => events.list(caller?.userId ?? null, input));
  serve(eventDetail, ({ id, token }, caller) => events.detail(id, caller?.userId ?? null, token));
  serve(createEvent, (input, caller) => events.create(caller.userId, input));
  serve(updateEvent, ({ id, ...fields }, caller) => events.change(caller.userId, id, fields));
  serve(cancelEvent, ({ id }, caller) => events.cancel(caller.userId, id));

  // The one page that other sites may frame: it has no scripts and no session, so clickjacking gains nothing.
  http.get('/event/embed', { schema: { hide: true } }, async (request, reply) => {
    const { id, token, lang } = request.query as Record<string, unknown>;
    const text = (value: unknown) => (typeof value === 'string' ? value : '');
    const found = await events.shown(text(id), text(token));
    const query = new URLSearchParams({
      id: text(id),
      ...(text(token) === '' ? {} : { token: text(token) }),
    });
    void reply
      .removeHeader('x-frame-options')
      .header(
        'content-security-policy',
        `default-src 'none'; style-src ${styleHash}; base-uri 'none'; form-action 'none'; frame-ancestors *`,
      )
      .header('cache-control', 'no-store')
      .code(found === null ? 404 : 200)
      .type('text/html; charset=utf-8');
    return embedPage(found, {
      link: `${publicUrl}/pages/events/events?${query.toString()}`,
      language: embedLanguage(lang, request.headers['accept-language']),
      now: events.now(),
    });
  });
}
