import type { Platform } from '../../platform/platform.ts';
import type { ContactsService } from '../contacts/service.ts';
import type { IdentityService } from '../identity/service.ts';
import type { OrdersService } from '../orders/service.ts';
import { createAdmin } from './admin/service.ts';
import { createAnnouncements } from './announcements/service.ts';
import { erasure as announcementErasure } from './announcements/store.ts';
import { createFeedback } from './feedback/service.ts';
import { erasure as feedbackErasure } from './feedback/store.ts';
import { createStatistics } from './statistics/service.ts';
import { createStrikes } from './strikes/service.ts';
import { erasure as strikeErasure } from './strikes/store.ts';

export type ModerationService = ReturnType<typeof createModeration>;

/** The admin area, feedback, announcements, automatic strikes and statistics. */
export function createModeration(
  platform: Platform,
  features: { identity: IdentityService; orders: OrdersService; contacts: ContactsService },
  timeZone: string,
) {
  const admin = createAdmin({ platform, ...features });
  return {
    admin,
    strikes: createStrikes(platform, { ...features, admin }),
    feedback: createFeedback(platform),
    announcements: createAnnouncements(platform),
    statistics: createStatistics({ platform, timeZone }),
    erasure: { ...announcementErasure, ...feedbackErasure, ...strikeErasure },
  };
}
