import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { daySeconds, minuteSeconds } from '#contract/define.ts';
import type { App } from '../../app-type.ts';
import { networkOf } from '../../platform/http/network.ts';
import { servePages, type PagesOptions } from '../../platform/http/pages.ts';
import { hidden, sendNotFound } from '../../platform/http/web-app.ts';
import { Refusal } from '../../platform/refusal.ts';
import { describePage, type Thing, pathBehindShortLink, previewPicture } from './preview-of-thing.ts';
import { robotsText, sitemapIndex, sitemap } from './sitemap.ts';

export function servePreviews(http: FastifyInstance, app: App, config: PagesOptions['config']): void {
  const sendPage = servePages(http, { env: app.env, config, describe: (ask) => describePage(app, ask) });
  for (const kind of ['e', 'r'] as const)
    http.get(
      `/${kind}/:code`,
      hidden,
      limited(async (request, reply) => {
        const { code } = request.params as { code: string };
        const path = await pathBehindShortLink(app, kind, code, networkOf(request.ip));
        // The thing behind a link may end or change: the browser asks again each time.
        return path === null
          ? sendPage(request, reply)
          : reply.headers({ 'cache-control': 'no-store', 'x-robots-tag': 'noindex' }).redirect(path);
      }),
    );
  servePictures(http, app);
  http.get('/robots.txt', hidden, (_request, reply) =>
    forAnHour(reply).type('text/plain; charset=utf-8').send(robotsText(app.env.publicUrl)),
  );
  http.get('/sitemap.xml', hidden, async (_request, reply) =>
    forAnHour(reply)
      .type('application/xml; charset=utf-8')
      .send(await sitemapIndex(app)),
  );
  http.get('/sitemap/:name', hidden, async (request, reply) => {
    const found = await sitemap(app, (request.params as { name: string }).name);
    return found === null
      ? sendNotFound(reply)
      : forAnHour(reply).type('application/xml; charset=utf-8').send(found);
  });
}

/** The pictures of links: those of private or missing pages are the general one. */
function servePictures(http: FastifyInstance, app: App): void {
  const send = limited(async (request, reply) => {
    const { lang, token } = request.query as { lang?: unknown; token?: unknown };
    const { kind = '', file = '' } = request.params as { kind?: string; file?: string };
    const picture = await previewPicture(app, thingOf(kind, file, typeof token === 'string' ? token : ''), {
      language: lang === 'zh' ? 'zh' : 'en',
      network: networkOf(request.ip),
    });
    const tag = `"${picture.tag}"`;
    void reply.headers({
      'cache-control': `public, max-age=${daySeconds}`,
      'cross-origin-resource-policy': 'cross-origin',
      etag: tag,
    });
    if (request.headers['if-none-match'] === tag) return reply.code(304).send();
    return reply.type('image/png').send(await picture.draw());
  });
  http.get('/preview/general.png', hidden, send);
  http.get('/preview/:kind/:file', hidden, send);
}

function thingOf(kind: string, file: string, token: string): Thing | null {
  const name = file.replace(/\.png$/, '');
  if (kind === 'event') return { kind, id: name, token };
  if (kind === 'order') return { kind, id: name };
  return kind === 'link' ? { kind, code: name } : null;
}

/** Answers 429 where a network has asked too often: no client of the app reads an envelope here. */
const limited =
  (handler: (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>) =>
  async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    try {
      return await handler(request, reply);
    } catch (error) {
      if (!(error instanceof Refusal && error.reason === 'rate.limited')) throw error;
      return reply
        .code(429)
        .headers({ 'cache-control': 'no-store', 'retry-after': minuteSeconds })
        .type('text/plain; charset=utf-8')
        .send(error.message);
    }
  };

const forAnHour = (reply: FastifyReply): FastifyReply =>
  reply.header('cache-control', 'public, max-age=3600');
