import type { FastifyInstance, FastifyReply } from 'fastify';
import { servePages } from '../../platform/http/pages.ts';
import { hidden, sendNotFound } from '../../platform/http/web-app.ts';
import type { Env } from '../../platform/env.ts';
import type { PreviewsService } from './service.ts';

export function servePreviews(http: FastifyInstance, previews: PreviewsService, env: Env): void {
  servePages(http, { env, describe: previews.describe });
  http.get('/robots.txt', hidden, (_request, reply) =>
    forAnHour(reply).type('text/plain; charset=utf-8').send(previews.robots()),
  );
  http.get('/sitemap.xml', hidden, async (_request, reply) =>
    forAnHour(reply)
      .type('application/xml; charset=utf-8')
      .send(await previews.sitemapIndex()),
  );
  http.get('/sitemap/:name', hidden, async (request, reply) => {
    const found = await previews.sitemap((request.params as { name: string }).name);
    return found === null
      ? sendNotFound(reply)
      : forAnHour(reply).type('application/xml; charset=utf-8').send(found);
  });
}

const forAnHour = (reply: FastifyReply): FastifyReply =>
  reply.header('cache-control', 'public, max-age=3600');
