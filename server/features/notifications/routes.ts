import type { FastifyInstance } from 'fastify';
import {
  answerQuestion,
  connectDevice,
  connectPhone,
  countNews,
  deliverAgain,
  disconnectDevice,
  disconnectPhone,
  listNews,
  listUndelivered,
  readNews,
  readQuestion,
  readSettings,
  saveSettings,
  seeNews,
  unsubscribe,
  unsubscribeInput,
} from '#contract/notifications/endpoints.ts';
import type { Serve } from '../../platform/http/http-server.ts';
import { Refusal } from '../../platform/refusal.ts';
import type { NotificationsService } from './service.ts';

export async function serveNotifications(
  { http, serve }: { http: FastifyInstance; serve: Serve },
  notifications: NotificationsService,
): Promise<void> {
  serve(readSettings, (_, caller) => notifications.settings(caller.userId));
  serve(saveSettings, (input, caller) => notifications.save(caller.userId, input));
  serve(listNews, (input, caller) => notifications.list(caller.userId, input));
  serve(countNews, async (_, caller) => ({ unread: await notifications.unread(caller.userId) }));
  serve(readNews, (input, caller) => notifications.read(caller.userId, input));
  serve(seeNews, async ({ ids }, caller) => {
    await notifications.seen(caller.userId, ids);
    return {};
  });
  serve(connectDevice, (input, caller) => notifications.connectDevice(caller, input));
  serve(disconnectDevice, ({ endpoint }, caller) => notifications.disconnectDevice(caller.userId, endpoint));
  serve(connectPhone, (input, caller) => notifications.connectPhone(caller, input));
  serve(disconnectPhone, ({ token }, caller) => notifications.disconnectDevice(caller.userId, token));
  serve(unsubscribe, async (input) => {
    await notifications.unsubscribe(input);
    return {};
  });
  serve(readQuestion, ({ code }) => notifications.question(code));
  serve(answerQuestion, (input) => notifications.answer(input));
  serve(listUndelivered, (page, caller) => notifications.undelivered(caller.userId, page));
  serve(deliverAgain, async (input, caller) => {
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
      const link = unsubscribeInput.safeParse(request.query);
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
