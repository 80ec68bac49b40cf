import type { FastifyInstance } from 'fastify';
import * as calls from '#contract/events/endpoints.ts';
import * as planCalls from '#contract/events/plan.ts';
import type { App, Serve } from '../../app-type.ts';
import { announceEvent, changeEvent, cancelEvent } from './calendar/announce-event.ts';
import { embedLanguage, embedPage, styleHash } from './calendar/embed.ts';
import { listEvents, eventDetail, eventBehindLink } from './calendar/read-events.ts';
import { answerPlace, readOwnPlan } from './plan/own-plan.ts';
import { joinAsDriver, joinAsPassenger } from './plan/join-event.ts';
import { listEntries, readPlan } from './plan/read-plan.ts';
import { sendPlan } from './plan/send-plan.ts';

export function serveEvents(to: { http: FastifyInstance; serve: Serve }, app: App): void {
  serveEventCalendar(to, app);
  serveEventPlans(to.serve);
}

function serveEventCalendar({ http, serve }: { http: FastifyInstance; serve: Serve }, app: App): void {
  serve(calls.listEvents, (app, input, caller) => listEvents(app, caller?.userId ?? null, input));
  serve(calls.eventDetail, (app, { id, token }, caller) =>
    eventDetail(app, id, caller?.userId ?? null, token),
  );
  serve(calls.createEvent, (app, input, caller) => announceEvent(app, caller.userId, input));
  serve(calls.updateEvent, (app, { id, ...fields }, caller) => changeEvent(app, caller.userId, id, fields));
  serve(calls.cancelEvent, (app, { id }, caller) => cancelEvent(app, caller.userId, id));

  // The one page that other sites may frame: it has no scripts and no session, so clickjacking gains nothing.
  http.get('/event/embed', { schema: { hide: true } }, async (request, reply) => {
    const { id, token, lang } = request.query as Record<string, unknown>;
    const text = (value: unknown) => (typeof value === 'string' ? value : '');
    const found = await eventBehindLink(app, text(id), text(token));
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
      link: `${app.env.publicUrl}/pages/events/events?${query.toString()}`,
      language: embedLanguage(lang, request.headers['accept-language']),
      now: app.clock.now(),
    });
  });
}

function serveEventPlans(serve: Serve): void {
  serve(calls.eventRides, async (app, { id, token }, caller) => ({
    entries: await listEntries(app, id, caller?.userId ?? null, token),
  }));
  serve(calls.joinAsDriver, (app, input, caller) => joinAsDriver(app, caller.userId, input));
  serve(calls.joinAsPassenger, (app, input, caller) => joinAsPassenger(app, caller.userId, input));
  serve(planCalls.eventPlan, (app, { id }, caller) => readPlan(app, caller.userId, id));
  serve(planCalls.assignPlaces, (app, { id, places }, caller) => sendPlan(app, caller.userId, id, places));
  serve(planCalls.myEvent, (app, { id }, caller) => readOwnPlan(app, caller.userId, id));
  serve(planCalls.answerPlace, (app, input, caller) => answerPlace(app, caller.userId, input));
}
