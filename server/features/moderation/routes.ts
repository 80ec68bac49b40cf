import type { Serve } from '../../app-type.ts';
import { serveAdmin } from './admin/routes.ts';
import { serveAnnouncements } from './announcements/routes.ts';
import { serveCannedAnswers } from './canned-answers/routes.ts';
import { serveFeedback } from './feedback/routes.ts';
import { serveStatistics } from './statistics/routes.ts';
import { serveTickets } from './tickets/routes.ts';

export function serveModeration(serve: Serve): void {
  serveAdmin(serve);
  serveAnnouncements(serve);
  serveFeedback(serve);
  serveStatistics(serve);
  serveTickets(serve);
  serveCannedAnswers(serve);
}
