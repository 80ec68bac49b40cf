import type { Platform } from '../../platform/platform.ts';
import type { BookingsService } from '../orders/service.ts';
import type { IdentityService } from '../identity/service.ts';
import type { OrdersService } from '../orders/service.ts';
import { createAdmin } from './admin/service.ts';
import { createFeedback } from './feedback/service.ts';
import { createStrikes } from './strikes/service.ts';

export type ModerationService = ReturnType<typeof createModeration>;

/** What the people who run the installation see, are told and do, and what the app does in their name. */
export function createModeration(
  platform: Platform,
  {
    identity,
    bookings,
    rides,
  }: { identity: IdentityService; bookings: BookingsService; rides: OrdersService },
  timeZone: string,
) {
  const admin = createAdmin(platform, { identity, bookings }, timeZone);
  return {
    admin,
    strikes: createStrikes(platform, { rides, identity, admin }),
    feedback: createFeedback(platform),
  };
}
