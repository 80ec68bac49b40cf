import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { changeMaintenance, readSettings } from '#contract/admin/operations.ts';
import type { Serve } from '../../platform/http/http-server.ts';
import type { Env } from '../../platform/env.ts';
import { hidden, sendNotFound } from '../../platform/http/web-app.ts';
import type { OperationsService } from './service.ts';
import { serveSetup } from './setup/routes.ts';

/** Prometheus' text format. */
const metricsType = 'text/plain; version=0.0.4; charset=utf-8';

/**
 * What machines of the operator ask every process, whatever its roles: no calls of the contract, and with a
 * status that a proxy understands. `/metrics` needs the token, and is not there without one.
 */
export function serveOperations(
  http: FastifyInstance,
  operations: OperationsService,
  { METRICS_TOKEN: token }: Pick<Env, 'METRICS_TOKEN'>,
): void {
  const fresh = { 'cache-control': 'no-store' };
  http.get('/health', hidden, (_request, reply) => reply.headers(fresh).send(operations.health()));
  http.get('/ready', hidden, async (_request, reply) => {
    const readiness = await operations.readiness();
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
      .send(await operations.metrics());
  });
}

/** The calls of the operator: of the admin area, and of the first run. */
export function serveOperatorCalls(serve: Serve, operations: OperationsService): void {
  serve(readSettings, (_, caller) => operations.settings(caller.userId));
  serve(changeMaintenance, async (input, caller) => ({
    maintenance: await operations.maintain(caller.userId, input),
  }));
  serveSetup(serve, operations.setup);
}

/** Compares without telling by the time it takes where two texts differ. */
const isSame = (given: string, wanted: string): boolean => timingSafeEqual(digest(given), digest(wanted));
const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
