import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { appVersion } from '#contract/app/endpoints.ts';
import { changeMaintenance, readQueue, readSettings } from '#contract/admin/operations.ts';
import type { App, Serve } from '../../app-type.ts';
import { hidden, sendNotFound } from '../../platform/http/web-app.ts';
import { maintain, queueOf, settingsOf } from './admin.ts';
import { readReadiness } from './readiness.ts';
import { serveSetup } from './setup/routes.ts';

/** Prometheus' text format. */
const metricsType = 'text/plain; version=0.0.4; charset=utf-8';

/**
 * The endpoints for the operator's monitoring, in processes of all roles. They are not calls of the contract,
 * and answer with HTTP statuses that a proxy understands. `/metrics` needs the token; without a configured
 * one it does not exist.
 */
export function serveOperations(http: FastifyInstance, app: App): void {
  const { METRICS_TOKEN: token } = app.env;
  const fresh = { 'cache-control': 'no-store' };
  // An answer is enough. A process that does not answer must be restarted.
  http.get('/health', hidden, (_request, reply) =>
    reply.headers(fresh).send({ alive: true, version: appVersion }),
  );
  http.get('/ready', hidden, async (_request, reply) => {
    const readiness = await readReadiness(app);
    return reply
      .code(readiness.ready ? 200 : 503)
      .headers(fresh)
      .send(readiness);
  });
  http.get('/metrics', hidden, async (request, reply) => {
    if (token === undefined) return sendNotFound(reply);
    if (!isSame(request.headers.authorization ?? '', `Bearer ${token}`))
      return reply
        .code(401)
        .headers({ ...fresh, 'www-authenticate': 'Bearer' })
        .type('text/plain')
        .send('');
    return reply
      .headers(fresh)
      .type(metricsType)
      .send(await app.metrics.text());
  });
}

/** The operator's calls: those of the admin area, and those of the setup page. */
export function serveOperatorCalls(serve: Serve): void {
  serve(readSettings, (app, _, caller) => settingsOf(app, caller.userId));
  serve(readQueue, (app) => queueOf(app, app.outbox.consumerNames));
  serve(changeMaintenance, async (app, input, caller) => ({
    maintenance: await maintain(app, caller.userId, input),
  }));
  serveSetup(serve);
}

/** Compares in constant time. */
const isSame = (given: string, wanted: string): boolean => timingSafeEqual(digest(given), digest(wanted));
const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
