import type { App } from '../../app-type.ts';
import { createAdmin } from './admin/service.ts';
import { erasure } from './erasure.ts';
import { createStatistics } from './statistics/service.ts';
import { createStrikes } from './strikes/service.ts';

export type ModerationService = ReturnType<typeof createModeration>;

/** The admin area, strikes and statistics. */
export function createModeration(platform: App, timeZone: string) {
  const admin = createAdmin({ platform });
  return {
    admin,
    strikes: createStrikes(platform, { admin }),
    statistics: createStatistics({ platform, timeZone }),
    erasure,
  };
}
