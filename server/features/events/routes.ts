import type { FastifyInstance } from 'fastify';
import type { App, Serve } from '../../app-type.ts';
import { serveEventCalendar } from './calendar/routes.ts';
import { serveEventPlans } from './plan/routes.ts';

export function serveEvents(to: { http: FastifyInstance; serve: Serve }, app: App): void {
  serveEventCalendar(to, app);
  serveEventPlans(to.serve);
}
