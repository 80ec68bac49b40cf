import type { FastifyInstance } from 'fastify';
import type { Serve } from '../../platform/http/http-server.ts';
import { serveEventCalendar } from './calendar/routes.ts';
import { serveEventPlans } from './plan/routes.ts';
import type { EventsService } from './service.ts';

export function serveEvents(
  to: { http: FastifyInstance; serve: Serve },
  { calendar, plan }: EventsService,
  publicUrl: string,
): void {
  serveEventCalendar(to, calendar, publicUrl);
  serveEventPlans(to.serve, plan);
}
