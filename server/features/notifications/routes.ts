import type { FastifyInstance } from 'fastify';
import * as calls from '#contract/notifications/endpoints.ts';
import type { App, Serve } from '../../app-type.ts';
import { Refusal } from '../../platform/refusal.ts';
import { readQuestion, answerQuestion } from './answer-by-link.ts';
import {
  readSettings,
  saveChoices,
  unsubscribe,
  connectDevice,
  disconnectDevice,
  connectPhone,
} from './channel-settings.ts';
import { listUndelivered, deliverAgain } from './deliver-again.ts';
import { listNews, markNewsRead, noteSeen } from './notification-queries.ts';
import { unreadNews } from './store.ts';

export async function serveNotifications(
  { http, serve }: { http: FastifyInstance; serve: Serve },
  app: App,
): Promise<void> {
  serve(calls.readSettings, (app, _, caller) => readSettings(app, caller.userId));
  serve(calls.saveSettings, (app, input, caller) => saveChoices(app, caller.userId, input));
  serve(calls.listNews, (app, input, caller) => listNews(app, caller.userId, input));
  serve(calls.countNews, async (app, _, caller) => ({ unread: await unreadNews(app.db, caller.userId) }));
  serve(calls.readNews, (app, input, caller) => markNewsRead(app, caller.userId, input));
  serve(calls.seeNews, (app, { ids }, caller) => noteSeen(app, caller.userId, ids));
  serve(calls.connectDevice, (app, input, caller) => connectDevice(app, caller, input));
  serve(calls.disconnectDevice, (app, { endpoint }, caller) =>
    disconnectDevice(app, caller.userId, endpoint),
  );
  serve(calls.connectPhone, (app, input, caller) => connectPhone(app, caller, input));
  serve(calls.disconnectPhone, (app, { token }, caller) => disconnectDevice(app, caller.userId, token));
  serve(calls.unsubscribe, (app, input) => unsubscribe(app, input));
  serve(calls.readQuestion, (app, { code }) => readQuestion(app, code));
  serve(calls.answerQuestion, (app, input) => answerQuestion(app, input));
  serve(calls.listUndelivered, (app, page, caller) => listUndelivered(app, caller.userId, page));
  serve(calls.deliverAgain, (app, input, caller) => deliverAgain(app, caller.userId, input));

  // A mail program's own button posts a form here (RFC 8058); it reads only the status.
  await http.register(async (forms) => {
    forms.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string' },
      (_request, body, done) => done(null, body),
    );
    forms.post('/notification/one-click', { schema: { hide: true } }, async (request, reply) => {
      void reply.header('cache-control', 'no-store').type('text/plain; charset=utf-8');
      const link = calls.unsubscribeInput.safeParse(request.query);
      try {
        if (!link.success) throw new Refusal('notification.linkOver', 'This link no longer works.');
        await unsubscribe(app, { ...link.data, all: false });
        return 'Done.';
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        return reply.code(404).send(error.message);
      }
    });
  });
}
