import { and, gt, sql } from 'drizzle-orm';
import type { Db } from '../../platform/database/db.ts';
import { isOneOf } from '../../platform/database/is-one-of.ts';
import { alerts, alertWindows } from '../../schema/alerts.ts';

/** The routes and times of people's alerts that are not over. */
export const awaitedBy = (tx: Db, personIds: readonly string[], now: Date) =>
  tx
    .select({
      ownerId: alerts.ownerId,
      role: alerts.role,
      fromName: alerts.fromName,
      fromDetail: alerts.fromDetail,
      fromLon: alerts.fromLon,
      fromLat: alerts.fromLat,
      toName: alerts.toName,
      toDetail: alerts.toDetail,
      toLon: alerts.toLon,
      toLat: alerts.toLat,
      timeZone: alerts.timeZone,
      women: alerts.women,
      maxDetourMs: alerts.maxDetourMs,
      days: alerts.days,
      fromTime: alerts.fromTime,
      toTime: alerts.toTime,
      /** Only of an alert that is not weekly. */
      at: sql<
        string | null
      >`(select min(${alertWindows.earliestAt}) from ${alertWindows} where ${alertWindows.alertId} = ${alerts.id})`,
      until: sql<
        string | null
      >`(select min(${alertWindows.latestAt}) from ${alertWindows} where ${alertWindows.alertId} = ${alerts.id})`,
    })
    .from(alerts)
    .where(and(isOneOf(alerts.ownerId, personIds), gt(alerts.endsAt, now)));
