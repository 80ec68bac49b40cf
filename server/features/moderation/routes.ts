import type { App } from '../../app-type.ts';
import type { Serve } from '../../platform/http/http-server.ts';
import { serveAdmin } from './admin/routes.ts';
import { serveAnnouncements } from './announcements/routes.ts';
import { serveCannedAnswers } from './canned-answers/routes.ts';
import { serveFeedback } from './feedback/routes.ts';
import { serveStatistics } from './statistics/routes.ts';
import { serveTickets } from './tickets/routes.ts';

export function serveModeration(serve: Serve, app: App): void {
  serveAdmin(serve, app);
  serveAnnouncements(serve, app);
  serveFeedback(serve, app);
  serveStatistics(serve, app);
  serveTickets(serve, app);
  serveCannedAnswers(serve, app);
}
