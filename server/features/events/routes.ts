import type { FastifyInstance } from 'fastify';
import type { App } from '../../app-type.ts';
import type { Serve } from '../../platform/http/http-server.ts';
import { serveEventCalendar } from './calendar/routes.ts';
import { serveEventPlans } from './plan/routes.ts';

export function serveEvents(to: { http: FastifyInstance; serve: Serve }, app: App): void {
  serveEventCalendar(to, app);
  serveEventPlans(to.serve, app);
}
