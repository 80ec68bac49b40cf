import type { App } from '../../app-type.ts';
import type { OrdersService } from '../orders/service.ts';
import { createAdmin } from './admin/service.ts';
import { createAnnouncements } from './announcements/service.ts';
import { erasure as announcementErasure } from './announcements/store.ts';
import { createCannedAnswers } from './canned-answers/service.ts';
import { erasure as cannedErasure } from './canned-answers/store.ts';
import { createFeedback } from './feedback/service.ts';
import { erasure as feedbackErasure } from './feedback/store.ts';
import { createStatistics } from './statistics/service.ts';
import { createStrikes } from './strikes/service.ts';
import { erasure as strikeErasure } from './strikes/store.ts';
import { createTickets } from './tickets/service.ts';

export type ModerationService = ReturnType<typeof createModeration>;

/** The admin area, feedback, tickets, announcements, automatic strikes and statistics. */
export function createModeration(platform: App, features: { orders: OrdersService }, timeZone: string) {
  const admin = createAdmin({ platform, ...features });
  const tickets = createTickets({ platform });
  return {
    admin,
    tickets,
    cannedAnswers: createCannedAnswers(platform),
    strikes: createStrikes(platform, { ...features, admin }),
    feedback: createFeedback(platform),
    announcements: createAnnouncements(platform),
    statistics: createStatistics({ platform, timeZone }),
    erasure: {
      ...announcementErasure,
      ...cannedErasure,
      ...feedbackErasure,
      ...strikeErasure,
      ...tickets.erasure,
    },
  };
}
