import type { App } from '../../app-type.ts';
import type { OrdersService } from '../orders/service.ts';
import { createAdmin } from './admin/service.ts';
import { erasure } from './erasure.ts';
import { createStatistics } from './statistics/service.ts';
import { createStrikes } from './strikes/service.ts';

export type ModerationService = ReturnType<typeof createModeration>;

/** The admin area, strikes and statistics. */
export function createModeration(platform: App, features: { orders: OrdersService }, timeZone: string) {
  const admin = createAdmin({ platform, ...features });
  return {
    admin,
    strikes: createStrikes(platform, { ...features, admin }),
    statistics: createStatistics({ platform, timeZone }),
    erasure,
  };
}
