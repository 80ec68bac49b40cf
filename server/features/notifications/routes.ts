import type { FastifyInstance } from 'fastify';
import * as calls from '#contract/notifications/endpoints.ts';
import type { Serve } from '../../platform/http/http-server.ts';
import { Refusal } from '../../platform/refusal.ts';
import type { NotificationsService } from './service.ts';

export async function serveNotifications(
  { http, serve }: { http: FastifyInstance; serve: Serve },
  notifications: NotificationsService,
): Promise<void> {
  serve(calls.readSettings, (_, caller) => notifications.settings(caller.userId));
  serve(calls.saveSettings, (input, caller) => notifications.save(caller.userId, input));
  serve(calls.listNews, (input, caller) => notifications.list(caller.userId, input));
  serve(calls.countNews, async (_, caller) => ({ unread: await notifications.unread(caller.userId) }));
  serve(calls.readNews, (input, caller) => notifications.read(caller.userId, input));
  serve(calls.seeNews, async ({ ids }, caller) => {
    await notifications.seen(caller.userId, ids);
    return {};
  });
  serve(calls.connectDevice, (input, caller) => notifications.connectDevice(caller, input));
  serve(calls.disconnectDevice, ({ endpoint }, caller) =>
    notifications.disconnectDevice(caller.userId, endpoint),
  );
  serve(calls.connectPhone, (input, caller) => notifications.connectPhone(caller, input));
  serve(calls.disconnectPhone, ({ token }, caller) => notifications.disconnectDevice(caller.userId, token));
  serve(calls.unsubscribe, async (input) => {
    await notifications.unsubscribe(input);
    return {};
  });
  serve(calls.readQuestion, ({ code }) => notifications.question(code));
  serve(calls.answerQuestion, (input) => notifications.answer(input));
  serve(calls.listUndelivered, (page, caller) => notifications.undelivered(caller.userId, page));
  serve(calls.deliverAgain, async (input, caller) => {
    await notifications.deliverAgain(caller.userId, input);
    return {};
  });

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
        await notifications.unsubscribe({ ...link.data, all: false });
        return 'Done.';
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        return reply.code(404).send(error.message);
      }
    });
  });
}
