import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { changeMaintenance, readQueue, readSettings } from '#contract/admin/operations.ts';
import type { Serve } from '../../platform/http/http-server.ts';
import type { Env } from '../../platform/env.ts';
import { hidden, sendNotFound } from '../../platform/http/web-app.ts';
import type { OperationsService } from './service.ts';
import { serveSetup } from './setup/routes.ts';

/** Prometheus' text format. */
const metricsType = 'text/plain; version=0.0.4; charset=utf-8';

/**
 * The endpoints for the operator's monitoring, in processes of all roles. They are not calls of the contract,
 * and answer with HTTP statuses that a proxy understands. `/metrics` needs the token; without a configured
 * one it does not exist.
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

/** The operator's calls: those of the admin area, and those of the setup page. */
export function serveOperatorCalls(serve: Serve, operations: OperationsService): void {
  serve(readSettings, (_, caller) => operations.settings(caller.userId));
  serve(readQueue, () => operations.queue());
  serve(changeMaintenance, async (input, caller) => ({
    maintenance: await operations.maintain(caller.userId, input),
  }));
  serveSetup(serve, operations.setup);
}

/** Compares in constant time. */
const isSame = (given: string, wanted: string): boolean => timingSafeEqual(digest(given), digest(wanted));
const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
