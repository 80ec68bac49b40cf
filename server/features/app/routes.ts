import type { FastifyInstance } from 'fastify';
import { config, version } from '#contract/app/endpoints.ts';
import { hourSeconds } from '#contract/define.ts';
import type { App, Serve } from '../../app-type.ts';
import { hidden, sendNotFound } from '../../platform/http/web-app.ts';
import { androidLinks, appleLinks, securityText } from './app-files.ts';
import { readConfig, readVersion } from './read-config.ts';

/** Answers a proxy that asks whether a process is there. */
export const serveVersion = (serve: Serve): void => serve(version, async (app) => readVersion(app));

export function serveApp({ http, serve }: { http: FastifyInstance; serve: Serve }, app: App): void {
  const { env, clock } = app;
  serve(config, async (app) => readConfig(app));
  for (const [name, links] of [
    ['assetlinks.json', androidLinks(env)],
    ['apple-app-site-association', appleLinks(env)],
  ] as const)
    http.get(`/.well-known/${name}`, hidden, (_request, reply) =>
      links === null
        ? sendNotFound(reply)
        : reply
            .header('cache-control', `public, max-age=${hourSeconds}`)
            .type('application/json')
            .send(links),
    );
  http.get('/.well-known/security.txt', hidden, (_request, reply) => {
    const text = securityText(env, clock.now());
    if (text === null) return sendNotFound(reply);
    return reply
      .header('cache-control', `public, max-age=${hourSeconds}`)
      .type('text/plain; charset=utf-8')
      .send(text);
  });
}
