import type { Serve } from '../../platform/http/http-server.ts';
import { serveAdmin } from './admin/routes.ts';
import { serveAnnouncements } from './announcements/routes.ts';
import { serveCannedAnswers } from './canned-answers/routes.ts';
import { serveFeedback } from './feedback/routes.ts';
import type { ModerationService } from './service.ts';
import { serveStatistics } from './statistics/routes.ts';
import { serveTickets } from './tickets/routes.ts';

export function serveModeration(
  serve: Serve,
  { admin, announcements, cannedAnswers, feedback, statistics, tickets }: ModerationService,
): void {
  serveAdmin(serve, admin);
  serveAnnouncements(serve, announcements);
  serveFeedback(serve, feedback);
  serveStatistics(serve, statistics);
  serveTickets(serve, tickets);
  serveCannedAnswers(serve, cannedAnswers);
}
